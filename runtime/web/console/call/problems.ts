import { asText, parseJson, recordsIn } from "../base/json.ts";
import type { Answer } from "../client/calls.ts";

/** The problems that an answer lists, by JSON Pointer; empty if it has none. */
export function problemsOf(answer: Answer | undefined): ReadonlyMap<string, string> {
  return problemsIn(parseJson(answer?.text ?? ""));
}

/** The problems that the body of an error lists, by JSON Pointer. */
export function problemsIn(body: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path, message } of recordsIn(body, "errors")) {
    const pointer = asText(path) ?? "";
    if (!found.has(pointer)) found.set(pointer, asText(message) ?? "is not valid");
  }
  return found;
}
