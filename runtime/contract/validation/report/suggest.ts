const longestText = 64;

/** A possible correction of a misspelt text. */
export interface Candidate {
  readonly text: string;
  /** The text without case and word separators, so that the commonest slips cost nothing. */
  readonly plain: string;
}

/** Prepares texts for comparison; long ones are left out. */
export function candidatesOf(texts: readonly string[]): readonly Candidate[] {
  return texts.filter((text) => text.length <= longestText).map((text) => ({ text, plain: simplify(text) }));
}

/** The candidate nearest to a misspelt text; `undefined` when none is near. */
export function suggest(text: string, candidates: readonly Candidate[]): string | undefined {
  if (text.length > longestText || candidates.length === 0) return undefined;
  const plain = simplify(text);
  const letters = lettersOf(plain);
  let best: string | undefined;
  // In a text of one or two letters every edit makes another text.
  let bestDistance = plain.length < 3 ? 1 : Math.floor(plain.length / 3) + 1;
  for (const candidate of candidates) {
    if (leastDistance(plain, letters, candidate.plain) >= bestDistance) continue;
    const distance = editDistance(plain, candidate.plain, bestDistance);
    if (distance < bestDistance) {
      best = candidate.text;
      bestDistance = distance;
    }
  }
  return best;
}

function simplify(text: string): string {
  return text.toLowerCase().replaceAll(/[-_ .]/g, "");
}

/** A bit mask of the letters in a text, by code modulo 32. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index++) letters |= 1 << (text.charCodeAt(index) & 31);
  return letters;
}

/** A lower bound of the edit distance: each edit adds or removes at most one letter. */
function leastDistance(from: string, letters: number, to: string): number {
  const others = lettersOf(to);
  return Math.max(Math.abs(from.length - to.length), bitCount(letters & ~others), bitCount(others & ~letters));
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Number of edits from one text to the other; a swap of neighbours is one edit. Stops at `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      current.push(cost);
      least = Math.min(least, cost);
    }
    // A swap reaches over one row, so two rows must be beyond the limit.
    if (least > limit) return limit;
    before = previous;
    previous = current;
  }
  return previous[to.length] ?? limit;
}
