import { createRequire } from "node:module";

/** The verdict of `recheck` on the time of a pattern for the worst text. */
export type PatternVerdict =
  | { readonly status: "safe" }
  /** The check took too long, or the pattern uses syntax that `recheck` does not support. */
  | { readonly status: "unknown" }
  | {
      readonly status: "vulnerable";
      /** For example `exponential` or `2nd degree polynomial`. */
      readonly complexity: string;
      /** Degree of a polynomial. */
      readonly degree?: number;
      /** A slow text as an expression, for example `'a'.repeat(31) + '!'`. */
      readonly attack: string;
    };

/** Judges patterns; verdicts are cached. */
export type PatternJudge = (pattern: string) => PatternVerdict;

/** The used part of `recheck`. */
interface Recheck {
  checkSync(source: string, flags: string, parameters: typeof recheckParameters): Finding;
}

interface Finding {
  readonly status: "safe" | "vulnerable" | "unknown";
  readonly complexity?: { readonly type: string; readonly summary: string; readonly degree?: number };
  readonly attack?: { readonly pattern: string };
}

/**
 * Limits that count steps instead of time, so that a verdict does not depend on the machine and its load. Most patterns
 * take a few milliseconds. A pattern with look-around is tried with random texts, which takes a second. The time limit
 * is far beyond any measured time.
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
 * True for an obviously linear pattern: it begins with `^`, has at most one part with a variable number of repetitions,
 * and no groups. Most patterns are of this kind and need no library.
 */
export function isPlainlyLinear(pattern: string): boolean {
  return plainly.test(pattern);
}

/**
 * Creates a judge with a cache. `recheck` is loaded for the first pattern that needs it, which takes longer than most
 * projects take to compile. Its plain JavaScript form is used, since the others start a program. Our build puts it
 * beside this file, since the package would install these programs.
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

/** Copied beside this file by the build. */
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
