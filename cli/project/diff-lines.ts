/** Number of unchanged lines around a change. */
const context = 2;
/** Number of changed lines up to which the shortest difference is searched: its memory grows with their square. */
const mostChanges = 2000;

/**
 * Lists the lines that differ, in the order of a unified diff: `-` only in `before`, `+` only in `after`, a blank
 * before context lines, `…` for omitted lines. Equal beginnings and ends are cut off first.
 */
export function diffLines(before: string, after: string): readonly string[] {
  const old = before.split("\n");
  const now = after.split("\n");
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let oldEnd = old.length;
  let nowEnd = now.length;
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd -= 1;
    nowEnd -= 1;
  }
  const middle = diffMiddle(old.slice(start, oldEnd), now.slice(start, nowEnd));
  const all = [...old.slice(0, start).map(kept), ...middle, ...old.slice(oldEnd).map(kept)];
  return folded(all);
}

function kept(line: string): string {
  return ` ${line}`;
}

/**
 * Finds the shortest difference by the algorithm of Myers, whose time grows with the number of changes and not with the
 * size of the texts. Texts with too many changes differ as a whole.
 */
function diffMiddle(old: readonly string[], now: readonly string[]): string[] {
  const most = Math.min(old.length + now.length, mostChanges);
  const middle = most + 1;
  /** Line of the old text that each diagonal has reached. */
  const reached = new Int32Array(2 * most + 3);
  const before: Reached[] = [];
  for (let changes = 0; changes <= most; changes += 1) {
    const part = reached.slice(middle - changes - 1, middle + changes + 2);
    before.push((diagonal) => part[diagonal + changes + 1] ?? 0);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const from = origin(diagonal, changes, before[changes] ?? nowhere);
      let i = (reached[middle + from] ?? 0) + (from < diagonal ? 1 : 0);
      while (i < old.length && i - diagonal < now.length && old[i] === now[i - diagonal]) i += 1;
      reached[middle + diagonal] = i;
      if (i >= old.length && i - diagonal >= now.length) return linesOf(old, now, before);
    }
  }
  return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
}

type Reached = (diagonal: number) => number;

const nowhere: Reached = () => 0;

/** The diagonal from which the last change leads furthest: the next one by an added line, or the one before it. */
function origin(diagonal: number, changes: number, reached: Reached): number {
  const isAdded = diagonal === -changes || (diagonal !== changes && reached(diagonal - 1) < reached(diagonal + 1));
  return isAdded ? diagonal + 1 : diagonal - 1;
}

/** Goes back from the ends of both texts. */
function linesOf(old: readonly string[], now: readonly string[], before: readonly Reached[]): string[] {
  const lines: string[] = [];
  let [i, j] = [old.length, now.length];
  for (let changes = before.length - 1; changes >= 0; changes -= 1) {
    const reached = before[changes] ?? nowhere;
    const from = origin(i - j, changes, reached);
    const start = reached(from);
    while (i > start && j > start - from) {
      lines.push(kept(old[(i -= 1)] ?? ""));
      j -= 1;
    }
    if (changes > 0) lines.push(i === start ? `+${now[(j -= 1)]}` : `-${old[(i -= 1)]}`);
  }
  return lines.toReversed();
}

function folded(lines: readonly string[]): string[] {
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some((line) => !line.startsWith(" ")),
  );
  const out: string[] = [];
  lines.forEach((line, index) => {
    if (shown[index] === true) out.push(line);
    else if (out.length === 0 || out.at(-1) !== " …") out.push(" …");
  });
  return out;
}
