import type { Step } from "../call/steps.ts";

/** A row that is not a step, and where it belongs. */
export interface Placed {
  readonly row: Step;
  /** Id of a span. */
  readonly id?: string | undefined;
  /** Id of the span, and number of the first event of the step, in which it began; undefined if unknown. */
  readonly span?: string | undefined;
  readonly step?: number | undefined;
}

interface Branch {
  readonly row: Step;
  readonly below: Branch[];
}

/**
 * Places requests, spans, waits and messages below the spans and steps in which they began, each group in the order of
 * their starts. A row whose place is not known is put below the latest step that contains its start.
 */
export function rowsBelow(steps: readonly Step[], others: readonly Placed[]): readonly Step[] {
  const top: Branch[] = [];
  const path: Branch[] = [];
  const branches = steps.map((row) => {
    const branch: Branch = { row, below: [] };
    path.length = Math.min(path.length, row.depth);
    (path.at(-1)?.below ?? top).push(branch);
    path.push(branch);
    return branch;
  });
  const placed = others.map((other) => ({ other, branch: { row: other.row, below: [] } satisfies Branch }));
  const spans = new Map(placed.flatMap(({ other, branch }) => (other.id === undefined ? [] : [[other.id, branch]])));
  for (const { other, branch } of placed) {
    const { from, kind } = other.row;
    // A message comes from outside of the job.
    const parent =
      kind === "message"
        ? undefined
        : ((other.span === undefined ? undefined : spans.get(other.span)) ??
          branches.find(({ row }) => row.number === other.step) ??
          branches.findLast(({ row }) => row.from <= from && from < (row.to ?? Infinity)));
    (parent?.below ?? top).push(branch);
  }
  return flat(top, 0);
}

function flat(branches: readonly Branch[], depth: number): readonly Step[] {
  return branches
    .toSorted((one, other) => one.row.from - other.row.from)
    .flatMap(({ row, below }) => [{ ...row, depth }, ...flat(below, depth + 1)]);
}
