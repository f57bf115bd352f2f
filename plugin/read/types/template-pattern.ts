import { escapeRegex } from "../../model/escape-regex.ts";

/** A part of a template: a text, or one of the types that TypeScript allows between texts. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  /** Part that matches any text. */
  | { readonly kind: "any" }
  /** Part that matches a text that TypeScript accepts for `${number}` or `${bigint}`. */
  | { readonly kind: "numeric" | "bigint" }
  /** Part that is a whole key of the type `number`: a number as JavaScript writes it. */
  | { readonly kind: "number" }
  /** Part with a pattern of its own. `empty`: the pattern may match nothing, or is one repeated set of characters. */
  | { readonly kind: "other"; readonly pattern: string; readonly empty: boolean };

/** The regular expression of a template. */
export interface TemplatePattern {
  /** Anchored at both ends. */
  readonly pattern: string;
  /** True if matching takes linear time by construction, so that the pattern need not be judged. */
  readonly linear: boolean;
}

/** A piece of a pattern with a fixed length: one set of characters for each position. */
interface Fixed {
  readonly sets: readonly { readonly inside: string; readonly outside: string }[];
}
interface Varied {
  readonly pattern: string;
  /** True if the end of the text is unambiguous when no digit follows. */
  readonly ends?: true;
}
type Piece = Fixed | Varied;

const any = "[\\s\\S]*";
/**
 * Pattern for a decimal number such as `-1`, `+1`, `05`, `.5` or `1E3`. TypeScript also accepts `5.`, `0x1F` and spaces
 * around a number; they are left out, since the pattern would be long, and slow where such numbers follow each other.
 */
const numeric = "[+-]?(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?";
/** Pattern for a number as JavaScript writes it. */
const number = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?";
const bigint = "(?:0|-?[1-9][0-9]*)";
/** Pattern for the start of a number after which any text may follow. */
const numericStart = "[+-]?\\.?[0-9]";
const bigintStart = "(?:0|-?[1-9])";
const inNumber = /^(?:\\?[-+.eE0-9]|\[0-9\])$/;
const digit: Fixed = { sets: [{ inside: "[0-9]", outside: "[^0-9]" }] };

/**
 * Makes the regular expression of a template. For `${string}a${string}b`, the pattern `[\s\S]*a[\s\S]*b` would take
 * quadratic time. Any match can also use the first `a`, so the text before it is matched as a text without `a`.
 */
export function templatePattern(parts: readonly TemplatePart[]): TemplatePattern {
  const stretches = splitAtAny(parts);
  const pieces = stretches.map((stretch, index) => piecesOf(stretch, index > 0, index < stretches.length - 1));
  const last = pieces.length - 1;
  let linear = true;
  const texts = pieces.map((stretch, index) => {
    const body = stretch.map(pieceText).join("");
    if (index === 0) {
      const end = last === 0 && parts.at(-1)?.kind === "other" && isVoid(parts.at(-1)) ? -1 : undefined;
      linear &&= isPlain(stretch.slice(0, end));
      return body;
    }
    if (index === last) {
      linear &&= isFixed(stretch) || isDelimited(stretch);
      return any + body;
    }
    const fixed = stretch.flatMap((piece) => ("sets" in piece ? piece.sets : []));
    const [first, second] = fixed;
    if (first === undefined || !isFixed(stretch)) {
      // A part before any text can end at several places. Matching is linear only if the last such part ends the
      // template, and the text before it is delimited.
      linear &&= index === last - 1 && pieces[last]?.length === 0 && isDelimited(stretch);
      return any + body;
    }
    return second === undefined ? `${first.outside}*${body}` : `(?:(?!${body})[\\s\\S])*${body}`;
  });
  return { pattern: `^${texts.join("")}$`, linear };
}

/**
 * Splits a template at the parts that match any text, into stretches of other parts. A part beside such a split that
 * may be empty is dropped, since the part that matches any text covers it.
 */
function splitAtAny(parts: readonly TemplatePart[]): readonly (readonly TemplatePart[])[] {
  const stretches: TemplatePart[][] = [[]];
  for (const part of parts) {
    const current = stretches.at(-1) ?? [];
    if (part.kind === "any") {
      while (isVoid(current.at(-1))) current.pop();
      if (stretches.length === 1 || current.length > 0) stretches.push([]);
    } else if (stretches.length === 1 || current.length > 0 || !isVoid(part)) current.push(part);
  }
  return stretches;
}

function isVoid(part: TemplatePart | undefined): boolean {
  return part !== undefined && (part.kind === "other" ? part.empty : part.kind === "text" && part.text === "");
}

/**
 * Makes the pieces of the pattern for a stretch. A number beside a part that matches any text is reduced to its nearest
 * digit, which matches the same texts.
 */
function piecesOf(stretch: readonly TemplatePart[], afterAny: boolean, beforeAny: boolean): readonly Piece[] {
  return stretch.map((part, index): Piece => {
    const isAfter = afterAny && index === 0;
    const isBefore = beforeAny && index === stretch.length - 1;
    switch (part.kind) {
      case "text":
        return { sets: [...part.text].map((character) => setOf(character)) };
      case "numeric":
        if (isAfter) return digit;
        return isBefore ? { pattern: numericStart } : { pattern: numeric, ends: true };
      case "number":
        return { pattern: number, ends: true };
      case "bigint":
        if (isAfter) return digit;
        return isBefore ? { pattern: bigintStart } : { pattern: bigint, ends: true };
      case "other":
        return { pattern: part.pattern };
      case "any":
        return { pattern: any };
    }
  });
}

/**
 * Maximum count of numbers in a stretch: each has up to three ways to end, before its fraction, its exponent or the
 * following text.
 */
const mostNumbers = 4;

/** True when a stretch can match in few ways: it has only texts, and a few numbers that no digit follows. */
function isPlain(stretch: readonly Piece[]): boolean {
  if (stretch.filter((piece) => "ends" in piece).length > mostNumbers) return false;
  return stretch.every((piece, index) => {
    if ("sets" in piece || piece.pattern === numericStart || piece.pattern === bigintStart) return true;
    const next = stretch[index + 1];
    if (next === undefined) return piece.ends === true;
    return piece.ends === true && "sets" in next && !/^\d/.test(next.sets[0]?.inside ?? "0");
  });
}

function isFixed(stretch: readonly Piece[]): boolean {
  return stretch.every((piece) => "sets" in piece);
}

/**
 * True when a stretch begins with a text that contains a character which is never part of a number. Each try of the
 * stretch begins at such a text, and covers at most as many of these characters as the stretch has. This bounds how
 * often a part of a text is tried.
 */
function isDelimited(stretch: readonly Piece[]): boolean {
  const [first] = stretch;
  const delimits = first !== undefined && "sets" in first && first.sets.some(({ inside }) => !inNumber.test(inside));
  return delimits && isPlain(stretch);
}

function pieceText(piece: Piece): string {
  return "sets" in piece ? piece.sets.map(({ inside }) => inside).join("") : piece.pattern;
}

function setOf(character: string): Fixed["sets"][number] {
  const inside = escapeRegex(character);
  return { inside, outside: `[^${inside}]` };
}
