/** Number of unchanged lines around a change. */
const context = 2;

/**
 * Lists the lines that differ, in the order of a unified diff: `-` only in `before`, `+` only in `after`, a blank
 * before context lines, `…` for omitted lines. Equal beginnings and ends are cut off first; then the quadratic table of
 * longest common subsequences is fast enough for texts as small as a service definition.
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

function diffMiddle(old: readonly string[], now: readonly string[]): string[] {
  const width = now.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const same = (table[(i + 1) * width + j + 1] ?? 0) + 1;
      const skip = Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
      table[i * width + j] = old[i] === now[j] ? same : skip;
    }
  }
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(kept(old[i] ?? ""));
      i += 1;
      j += 1;
    } else if (
      j >= now.length ||
      (i < old.length && (table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0))
    ) {
      lines.push(`-${old[i]}`);
      i += 1;
    } else {
      lines.push(`+${now[j]}`);
      j += 1;
    }
  }
  return lines;
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
