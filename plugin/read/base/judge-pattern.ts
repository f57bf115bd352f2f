import { createRequire } from "node:module";

/** The verdict of `recheck` on the time of a pattern for the worst text. */
export type PatternVerdict =
  | { readonly status: "safe" }
  /** Verdict if the check took too long, or if the pattern uses syntax that `recheck` does not support. */
  | { readonly status: "unknown" }
  | {
      readonly status: "vulnerable";
      /** Growth of the time, for example `exponential` or `2nd degree polynomial`. */
      readonly complexity: string;
      /** Degree of the time, if it is a polynomial. */
      readonly degree?: number;
      /** Expression for a text that makes matching slow, for example `'a'.repeat(31) + '!'`. */
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
 * Returns bounds for `recheck`'s search, which is needed for patterns that look ahead or back, or repeat a part a
 * bounded number of times. For a small pattern a search takes some hundredths of a second. For a large pattern each
 * tried text costs far more, so fewer texts are tried, and the search stays under two seconds.
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

/** True when a pattern is long; the content of a repetition `{…}` counts as often as it repeats. */
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
 * and no groups. Most patterns are of this kind and need no check by `recheck`.
 */
export function isPlainlyLinear(pattern: string): boolean {
  return plainly.test(pattern);
}

/**
 * Creates a judge of patterns with a cache. `recheck` is loaded for the first pattern that needs it, since loading
 * takes longer than most projects take to compile. Its plain JavaScript version is used, because its other versions
 * start a native program. The build copies that version beside this file, since installing the package would install
 * the native programs too.
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

/** Copy of `recheck` that the build puts beside this file. */
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
