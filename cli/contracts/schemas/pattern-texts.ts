import { type PatternNode, parsePattern } from "./pattern-parser.ts";

/** Maximum length of a text; nested repetitions of a pattern may require more. */
const longest = 20_000;
/** Characters of which most classes contain one. */
const alphabet = [..."aZ0_-. x9b/:@A1 ~éß😀\n\t\u0000"];
const rounds = 24;

/** Generates texts that a pattern matches, plain and short ones first; few or none if the pattern uses lookaround. */
export function patternTexts(pattern: string, repeats: readonly number[] = []): readonly string[] {
  let matches: RegExp;
  try {
    matches = new RegExp(pattern, "u");
  } catch {
    return [];
  }
  const tree = parsePattern(pattern);
  const characters = new Map<string, readonly string[]>();
  const texts = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    for (const repeat of round < 4 ? [0, 1, 2, 3, ...repeats] : [round % 4]) {
      const text = writeText(tree, { round, repeat, count: 0, length: 0, characters });
      if (text.length <= longest && matches.test(text)) texts.add(text);
    }
  }
  return [...texts];
}

interface Writing {
  readonly round: number;
  /** Preferred number of repetitions. */
  readonly repeat: number;
  /** Number of choices so far. */
  count: number;
  length: number;
  readonly characters: Map<string, readonly string[]>;
}

/** Chooses one of `size` options. Round 0 takes the first option of each choice; later rounds mix the options. */
function pick(writing: Writing, size: number): number {
  writing.count++;
  if (writing.round === 0 || size <= 1) return 0;
  if (writing.round === 1) return writing.count % size;
  return (writing.round * 7 + writing.count * writing.round * 3 + (writing.count >> 1)) % size;
}

function writeText(node: PatternNode, writing: Writing): string {
  if (writing.length > longest) return "";
  switch (node.kind) {
    case "sequence":
      return node.nodes.map((part) => writeText(part, writing)).join("");
    case "choice": {
      const chosen = node.nodes[pick(writing, node.nodes.length)];
      return chosen === undefined ? "" : writeText(chosen, writing);
    }
    case "repeat": {
      const times = Math.min(Math.max(node.least, writing.repeat), node.most, longest);
      let text = "";
      for (let index = 0; index < times && writing.length <= longest; index++) text += writeText(node.node, writing);
      return text;
    }
    case "character": {
      const known = writing.characters.get(node.source) ?? charactersOf(node.source);
      writing.characters.set(node.source, known);
      writing.length++;
      return known[pick(writing, known.length)] ?? "";
    }
  }
}

function charactersOf(source: string): readonly string[] {
  let one: RegExp;
  try {
    one = new RegExp(`^${source}$`, "u");
  } catch {
    return [];
  }
  const written = [...source.replaceAll(/\\u\{?([0-9a-fA-F]+)\}?/g, (_, code: string) => codeText(code))];
  return [...new Set([...alphabet, ...written])].filter((text) => one.test(text));
}

function codeText(code: string): string {
  const point = Number.parseInt(code, 16);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : "";
}
