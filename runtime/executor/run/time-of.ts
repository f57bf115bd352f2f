import { parseDuration } from "../../contract/duration.ts";

/** A time such as `30s`, `2m`, `1 hour` or `3 days`. */
export type Duration = `${number}${string}`;

/** Returns the milliseconds of a time; throws for any other text. */
export function millisecondsOf(text: string, what: string): number {
  // Code that no type checker has seen may give a number.
  const milliseconds = parseDuration(String(text));
  if (milliseconds !== undefined) return milliseconds;
  throw new TypeError(
    `${what}: ${JSON.stringify(text)} is not a time; write one such as "30s", "2m", "1 hour" or "3 days".`,
  );
}
