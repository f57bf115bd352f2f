import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutation } from "./mutation.ts";

/** The outcome of one mutation. */
export type Verdict =
  /** A test failed, whose name stands in `by`. */
  | { readonly outcome: "noticed"; readonly by: string }
  | { readonly outcome: "survived" }
  /** It does not compile, so that no test needs to notice it. */
  | { readonly outcome: "refused" }
  /** It changes nothing that can be observed, as `equivalent.json` says. */
  | { readonly outcome: "equivalent"; readonly reason: string };

/** Verdicts on disk, so that a run goes on where the last one was ended. */
export interface Journal {
  /** The verdict on a mutation of this text of the file, if there is one. */
  find(mutation: Mutation, code: string): Verdict | undefined;
  add(mutation: Mutation, code: string, verdict: Verdict): void;
}

interface Line {
  readonly key: string;
  readonly verdict: Verdict;
}

/** Opens the journal in a file, which is made with the first verdict. */
export function openJournal(file: string): Journal {
  const known = new Map<string, Verdict>();
  if (existsSync(file))
    for (const line of readFileSync(file, "utf8")
      .split("\n")
      .filter((text) => text !== "")) {
      const { key, verdict } = JSON.parse(line) as Line;
      known.set(key, verdict);
    }
  return {
    find: (mutation, code) => known.get(keyOf(mutation, code)),
    add(mutation, code, verdict) {
      const key = keyOf(mutation, code);
      known.set(key, verdict);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify({ key, verdict } satisfies Line)}\n`);
    },
  };
}

/** A verdict is about this text of the file alone. */
function keyOf({ file, start, end, text }: Mutation, code: string): string {
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 12);
  return `${file}@${hash}:${start}-${end}:${text}`;
}
