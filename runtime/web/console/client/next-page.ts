import { asText, recordsIn } from "../base/json.ts";

/** Returns the token of the next page of a list; undefined: this page is the last. */
export function nextPage(value: unknown): string | undefined {
  const next = recordsIn(value, "links").find(({ rel }) => rel === "next");
  return /[?&]page=(\d+)/.exec(asText(next?.["href"]) ?? "")?.[1];
}
