import type { Events, Followed, Seen } from "./history.ts";

interface Reported {
  readonly seen: readonly Seen[];
  readonly followed: readonly Followed[];
  readonly events: Events | undefined;
}

/** Invariant 8 for those who read along: they are told each event once, in order, and as it is stored. */
export function checkFollowed({ followed, events }: Reported): string[] {
  if (events?.texts === undefined) return [];
  const { numbers, texts } = events;
  const stored = new Map(numbers.map((number, index) => [number, texts[index]]));
  return followed.flatMap(({ events: told }) => {
    const other = told.find(([number, text]) => stored.get(number) !== text);
    if (other !== undefined) {
      return [`8: a reader was told event ${other[0]} as ${other[1]}, and it is ${stored.get(other[0]) ?? "missing"}`];
    }
    const seen = told.map(([number]) => number);
    return seen.join(" ") === numbers.join(" ")
      ? []
      : [`8: a reader was told the events ${seen.join(" ")} of ${numbers.join(" ")}`];
  });
}

/**
 * Invariants 2 and 3 where nobody sees the writes of each run: the events of one run stand together and begin with its
 * first, and the result is that of the last run.
 */
export function checkRuns({ seen, events }: Reported): string[] {
  if (events?.runs === undefined) return [];
  const { runs, counts, resultRun } = events;
  const breaches: string[] = [];
  const over = new Set<string>();
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    if (before !== undefined && before !== run) over.add(before);
    if (over.has(run)) breaches.push(`3: run ${run} reported an event after another run had begun`);
    const expected = before === run ? (counts[index - 1] ?? 0) + 1 : 1;
    if (counts[index] !== expected) breaches.push(`8: run ${run} reported ${expected}, and ${counts[index]} is stored`);
  }
  const last = runs.at(-1);
  if (seen.at(-1)?.status === "succeeded" && resultRun !== last) {
    breaches.push(`3: the result is that of run ${resultRun}, and the last one is ${last}`);
  }
  return breaches;
}
