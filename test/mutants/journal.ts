import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutation } from "./mutation.ts";

/** The outcome of one mutation. */
export type Verdict =
  /** A test failed, whose name stands in `by`, in these files; none where the tests did not end. */
  | { readonly outcome: "noticed"; readonly by: string; readonly files: readonly string[] }
  | { readonly outcome: "survived" }
  /** It does not compile, so that no test needs to notice it. */
  | { readonly outcome: "refused" }
  /** It changes nothing that can be observed, as `equivalent.json` says. */
  | { readonly outcome: "equivalent"; readonly reason: string };

/** A mutation, and what a verdict on it is about. */
export interface Trial {
  readonly mutation: Mutation;
  /** The text of the file without the mutation. */
  readonly code: string;
  /** Files or folders of all tests that are asked. */
  readonly tests: readonly string[];
}

/** Verdicts on disk, so that a run goes on where the last one was ended. */
export interface Journal {
  /** The verdict on a mutation of this text of the file, if there is one that tests of today would give. */
  find(trial: Trial): Verdict | undefined;
  add(trial: Trial, verdict: Verdict): void;
}

interface Line {
  readonly key: string;
  /** Digest of the tests that decided. */
  readonly tests: string;
  readonly verdict: Verdict;
}

/**
 * Opens the journal in a file, which is made with the first verdict.
 *
 * @param digest Returns what the texts of tests come to, with those that they load
 */
export function openJournal(file: string, digest: (tests: readonly string[]) => string): Journal {
  const known = new Map<string, Line>();
  if (existsSync(file))
    for (const line of readFileSync(file, "utf8")
      .split("\n")
      .filter((text) => text !== "")) {
      const read = JSON.parse(line) as Line | Omit<Line, "tests">;
      // Earlier versions did not write which tests decided.
      if ("tests" in read) known.set(read.key, read);
    }
  return {
    find(trial) {
      const line = known.get(keyOf(trial));
      if (line === undefined) return undefined;
      return line.tests === digest(deciding(trial, line.verdict)) ? line.verdict : undefined;
    },
    add(trial, verdict) {
      const line = { key: keyOf(trial), tests: digest(deciding(trial, verdict)), verdict } satisfies Line;
      known.set(line.key, line);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
  };
}

/**
 * The tests by which a verdict stands or falls. A survivor has passed all of them, and each new one may notice it. A
 * failed test notices the mutation as long as it says the same, whatever others are added: they could only notice it
 * too. The compiler decides without tests.
 */
function deciding({ tests }: Trial, verdict: Verdict): readonly string[] {
  if (verdict.outcome === "refused") return [];
  return verdict.outcome === "noticed" && verdict.files.length > 0 ? verdict.files : tests;
}

/** A verdict is about this text of the file alone. */
function keyOf({ mutation: { file, start, end, text }, code }: Trial): string {
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 12);
  return `${file}@${hash}:${start}-${end}:${text}`;
}
