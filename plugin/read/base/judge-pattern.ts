import { createRequire } from "node:module";

/** What `recheck` says of the time that a pattern takes on the worst text. */
export type PatternVerdict =
  | { readonly status: "safe" }
  /** Judging it took too long, or it uses what `recheck` does not know. */
  | { readonly status: "unknown" }
  | {
      readonly status: "vulnerable";
      /** For example `exponential` or `2nd degree polynomial`. */
      readonly complexity: string;
      /** Of a polynomial. */
      readonly degree?: number;
      /** A text that is slow, as an expression, for example `'a'.repeat(31) + '!'`. */
      readonly attack: string;
    };

/** Judges patterns, each once. */
export type PatternJudge = (pattern: string) => PatternVerdict;

/** The part of `recheck` that is used. */
interface Recheck {
  checkSync(source: string, flags: string, parameters: typeof recheckParameters): Finding;
}

interface Finding {
  readonly status: "safe" | "vulnerable" | "unknown";
  readonly complexity?: { readonly type: string; readonly summary: string; readonly degree?: number };
  readonly attack?: { readonly pattern: string };
}

/**
 * Limits that count steps and not time, so that a verdict does not depend on the machine and what else it does. Most
 * patterns take a few milliseconds; one that looks ahead or back is tried with random texts, which takes a second. The
 * time limit is far beyond all that was ever seen.
 */
export const recheckParameters = {
  randomSeed: 1,
  timeout: 60_000,
  incubationTimeout: null,
  attackTimeout: null,
  seedingTimeout: null,
  attackLimit: 30_000_000,
} as const;

const atom = String.raw`(?:\[\^?(?:\\.|[^\]\\])+\]|\\[dDwWsS]|\\[pP]\{[\w=]+\}|\\[^\w\s]|[^\\^$*+?()[\]{}|])`;
const plainly = new RegExp(
  String.raw`^\^(?:${atom}(?:\{\d+\})?)*(?:${atom}(?:[*+?]|\{\d+,\d*\}))?(?:${atom}(?:\{\d+\})?)*\$?$`,
  "u",
);

/**
 * Whether a pattern is linear at first sight: it begins with `^`, one part at most is repeated a number of times that varies, and
 * there are no groups. Most patterns are of this kind, and nothing needs to be loaded for them.
 */
export function isPlainlyLinear(pattern: string): boolean {
  return plainly.test(pattern);
}

/**
 * Makes a judge that remembers what it said. `recheck` is loaded with the first pattern that needs it: that takes longer than most
 * projects take to compile. Its form in plain JavaScript is used, since the others start a program; our build puts it beside
 * this file, since the package brings these programs along.
 */
export function createPatternJudge(): PatternJudge {
  const known = new Map<string, PatternVerdict>();
  let recheck: Recheck | undefined;
  return (pattern) => {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    if (isPlainlyLinear(pattern)) return { status: "safe" };
    recheck ??= loadRecheck();
    const verdict = verdictOf(recheck.checkSync(pattern, "u", recheckParameters));
    known.set(pattern, verdict);
    return verdict;
  };
}

/** What the build put beside this file. */
const copy = "./recheck.cjs";

function loadRecheck(): Recheck {
  const require = createRequire(import.meta.url);
  const isSource = import.meta.url.endsWith(".ts");
  return (isSource ? require("recheck/lib/browser.js") : require(copy)) as Recheck;
}

function verdictOf({ status, complexity, attack }: Finding): PatternVerdict {
  if (status !== "vulnerable") return { status };
  return {
    status,
    complexity: complexity?.summary.replace(" (fuzz)", "") ?? "slow",
    ...(complexity?.degree !== undefined && { degree: complexity.degree }),
    attack: attack?.pattern ?? "",
  };
}
