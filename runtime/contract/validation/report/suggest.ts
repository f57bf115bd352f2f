import { editDistance } from "../../nearest-name.ts";

const longestText = 64;

/** A possible correction of a misspelt text. */
export interface Candidate {
  readonly text: string;
  /** The text without case and word separators, so that the most frequent misspellings have distance 0. */
  readonly plain: string;
}

/** Prepares texts for comparison; long texts are left out. */
export function candidatesOf(texts: readonly string[]): readonly Candidate[] {
  return texts.filter((text) => text.length <= longestText).map((text) => ({ text, plain: simplify(text) }));
}

/** The candidate nearest to a misspelt text; `undefined` when none is near. */
export function suggest(text: string, candidates: readonly Candidate[]): string | undefined {
  if (text.length > longestText || candidates.length === 0) return undefined;
  const plain = simplify(text);
  const letters = lettersOf(plain);
  let best: string | undefined;
  // Texts of one or two letters allow no edits, since every edit would make another text.
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

/** Returns a lower bound of the edit distance: each edit adds or removes at most one letter. */
function leastDistance(from: string, letters: number, to: string): number {
  const others = lettersOf(to);
  return Math.max(Math.abs(from.length - to.length), bitCount(letters & ~others), bitCount(others & ~letters));
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
