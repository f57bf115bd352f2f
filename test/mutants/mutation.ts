/** One change to one source file, which some test should notice. */
export interface Mutation {
  /** Path of the file in the project. */
  readonly file: string;
  /** Name of the rule that made it, such as `operator`. */
  readonly kind: string;
  /** Offsets of what is replaced, and the text that replaces it. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Number of the line, from 1. */
  readonly line: number;
  /** The line before and after, without indentation. Together with the file they name a mutation in data files. */
  readonly before: string;
  readonly after: string;
}

/** A replacement in the text of a file. */
export interface Replacement {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The mutation that a replacement makes of a file. */
export function mutationOf(file: string, code: string, { kind, start, end, text }: Replacement): Mutation {
  const from = code.lastIndexOf("\n", start - 1) + 1;
  const endOf = (offset: number): number => {
    const at = code.indexOf("\n", offset);
    return at < 0 ? code.length : at;
  };
  const line = code.slice(0, from).split("\n").length;
  const before = code.slice(from, endOf(start)).trim();
  const after = (code.slice(from, start) + text + code.slice(end, endOf(end))).trim();
  return { file, kind, start, end, text, line, before, after };
}

/** The text of the file with the mutation. */
export function mutated(code: string, { start, end, text }: Replacement): string {
  return code.slice(0, start) + text + code.slice(end);
}

/** A mutation in one line, for people. */
export function described({ file, line, before, after, kind }: Mutation): string {
  return `${file}:${line} (${kind})\n    - ${before}\n    + ${after}`;
}
