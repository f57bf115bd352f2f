import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutation } from "./mutation.ts";

/** A mutation that changes nothing that can be observed. Lines are without indentation. */
interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

/** Returns why a mutation is equivalent, by `equivalent.json`; undefined for any other. */
export function readEquivalents(): (mutation: Mutation) => string | undefined {
  const listed = JSON.parse(readFileSync(join(import.meta.dirname, "equivalent.json"), "utf8")) as Equivalent[];
  const keyOf = (one: Pick<Equivalent, "file" | "before" | "after">): string =>
    [one.file, one.before, one.after].join("\n");
  const reasons = new Map(listed.map((one) => [keyOf(one), one.reason]));
  return (mutation) => reasons.get(keyOf(mutation));
}
