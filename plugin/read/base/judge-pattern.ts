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

/** Stores verdicts, for one process or longer. */
export interface PatternVerdicts {
  get(pattern: string): PatternVerdict | undefined;
  set(pattern: string, verdict: PatternVerdict): unknown;
  /** Called before a pattern is judged. */
  begin?(pattern: string): void;
}

/** Judges patterns; verdicts are cached. */
export type PatternJudge = (pattern: string) => PatternVerdict;

/** The parts of `recheck` that are used. */
interface Recheck {
  checkSync(source: string, flags: string, parameters: ReturnType<typeof searchParameters>): Finding;
}

interface Finding {
  readonly status: "safe" | "vulnerable" | "unknown";
  readonly complexity?: { readonly type: string; readonly summary: string; readonly degree?: number };
  readonly attack?: { readonly pattern: string };
}

/** Limits of every judgement; they count steps and not time, so that a verdict does not depend on the machine. */
const fixedParameters = { randomSeed: 1, timeout: 60_000, incubationTimeout: null, attackTimeout: null } as const;

/**
 * Bounds of `recheck`'s search, for patterns that only a search can judge: those that look ahead or back, or repeat a
 * part a bounded number of times. For a small pattern a search takes some hundredths of a second. For a large one each
 * tried text costs far more, so that fewer are tried, and the search stays under two seconds.
 */
export function searchParameters(pattern: string): typeof fixedParameters & Readonly<Record<string, number | null>> {
  const search = isLarge(pattern)
    ? { maxIteration: 1, maxGenerationSize: 10, maxInitialGenerationSize: 20, crossoverSize: 3, mutationSize: 5 }
    : { maxIteration: 3, maxGenerationSize: 30, maxInitialGenerationSize: 100, crossoverSize: 10, mutationSize: 20 };
  const limits = isLarge(pattern)
    ? { attackLimit: 1_000_000, incubationLimit: 5000, seedingLimit: 200, maxAttackStringSize: 20_000 }
    : { attackLimit: 3_000_000 };
  return { ...fixedParameters, seedingTimeout: null, ...search, ...limits };
}

/** True when a pattern is long, with repetitions `{…}` counted as often as they repeat. */
export function isLarge(pattern: string): boolean {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least = "0", most]) => Number(most || least));
  return counts.reduce((sum, count) => sum + count, pattern.length) > 60;
}

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
 * projects take to compile. Its plain JavaScript version is used, since the others start a native program. The build
 * copies it beside this file, since the package would install these programs.
 */
export function createPatternJudge(kept: PatternVerdicts = new Map<string, PatternVerdict>()): PatternJudge {
  let recheck: Recheck | undefined;
  return (pattern) => {
    if (isPlainlyLinear(pattern)) return { status: "safe" };
    const before = kept.get(pattern);
    if (before !== undefined) return before;
    kept.begin?.(pattern);
    recheck ??= loadRecheck();
    const verdict = verdictOf(recheck.checkSync(pattern, "u", searchParameters(pattern)));
    kept.set(pattern, verdict);
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
