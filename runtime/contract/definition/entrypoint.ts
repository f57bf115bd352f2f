/** A command as a list of words, or the reason why there is none. */
export type Command = { readonly command: readonly string[] } | { readonly error: string };

/**
 * Reads the variable `ENTRYPOINT`: a Python list literal, a JSON array of strings, or plain text, which becomes one
 * word. Nothing is evaluated: text that looks like code is an error.
 */
export function parseEntrypoint(text: string): Command {
  const trimmed = text.trim();
  if (trimmed === "") return { error: "ENTRYPOINT is empty" };
  if (trimmed.startsWith("[")) {
    const list = readList(trimmed);
    return typeof list === "string" ? { error: `ENTRYPOINT is not a list of strings: ${list}` } : { command: list };
  }
  if (/^['"]/.test(trimmed)) {
    const read = readString(trimmed, 0);
    if (typeof read !== "string" && read.end === trimmed.length) return { command: [read.value] };
    return {
      error: `ENTRYPOINT is not a string literal: ${typeof read === "string" ? read : "there is text after it"}`,
    };
  }
  if (/^[({]|^[A-Za-z_][\w.]*\s*\(/.test(trimmed)) {
    return {
      error:
        'ENTRYPOINT is neither a list such as ["node","dist/service.js"] nor a plain command, and code is not evaluated',
    };
  }
  return { command: [trimmed] };
}

/** Reads the items of a list literal; returns an error text if it is invalid. */
function readList(text: string): readonly string[] | string {
  const items: string[] = [];
  let index = skipBlanks(text, 1);
  while (text[index] !== "]") {
    let item = "";
    if (!startsString(text, index)) return `item ${items.length + 1} is not a string`;
    // Neighbouring literals are joined, since they are one string in Python.
    while (startsString(text, index)) {
      const read = readString(text, index);
      if (typeof read === "string") return read;
      item += read.value;
      index = skipBlanks(text, read.end);
    }
    items.push(item);
    if (text[index] === ",") index = skipBlanks(text, index + 1);
    else if (text[index] !== "]")
      return index >= text.length ? "the closing bracket is missing" : `a comma is missing after item ${items.length}`;
  }
  if (skipBlanks(text, index + 1) !== text.length) return "there is text after the list";
  return items.length === 0 ? "it is empty" : items;
}

function skipBlanks(text: string, from: number): number {
  let index = from;
  while (index < text.length && /\s/.test(text[index] ?? "")) index++;
  return index;
}

function startsString(text: string, index: number): boolean {
  return /^(?:[rRuU]?["'])/.test(text.slice(index, index + 2));
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\u0007",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "/": "/",
  "\n": "",
};

/** Reads the string literal of Python or JSON at `start`; returns an error text if it is invalid. */
function readString(text: string, start: number): { readonly value: string; readonly end: number } | string {
  const isRaw = /[rR]/.test(text[start] ?? "");
  let index = start + (/[rRuU]/.test(text[start] ?? "") ? 1 : 0);
  const quote = text.startsWith((text[index] ?? "").repeat(3), index)
    ? (text[index] ?? "").repeat(3)
    : (text[index] ?? "");
  index += quote.length;
  let value = "";
  while (index < text.length) {
    if (text.startsWith(quote, index)) return { value, end: index + quote.length };
    const character = text[index] ?? "";
    if (character === "\n" && quote.length === 1) return "a string runs over the end of its line";
    if (character !== "\\" || isRaw) {
      value += character;
      index++;
      continue;
    }
    const code = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/.exec(text.slice(index, index + 10));
    const simple = simpleEscapes[text[index + 1] ?? ""];
    if (code !== null) {
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
      if (point > 0x10ffff) return `the escape ${code[0]} is not a character`;
      value += String.fromCodePoint(point);
      index += code[0].length;
    } else if (simple === undefined) {
      // An unknown escape stays as it is written, as in Python.
      value += character;
      index++;
    } else {
      value += simple;
      index += 2;
    }
  }
  return "a string has no closing quote";
}
