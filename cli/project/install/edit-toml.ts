import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { CommandError } from "../../base/usage.ts";
import type { FileEdit } from "./host.ts";

/**
 * Changes the tables of one entry in a TOML file; comments and everything else stay as they are. A file in which the
 * entry is not written as separate tables is refused.
 */
export function editToml(text: string, edit: FileEdit): string {
  const { at, name, entry } = edit;
  const before = read(text, edit);
  const rest = withoutTables(text, [...at, name]);
  const tables = entry === undefined ? "" : stringify(nested([...at, name], entry)).trim();
  // Removes the headers of outer tables: they may exist already, and are not needed.
  const own = tables.replace(new RegExp(`^\\[${at.join("\\.")}\\]\\n`), "");
  const after = own === "" ? rest : `${rest.trimEnd()}${rest.trim() === "" ? "" : "\n\n"}${own}\n`;
  if (isReadable(after) && isDeepStrictEqual(read(after, edit), changed(before, [...at, name], entry))) return after;
  throw new CommandError(
    `${edit.file} has ${name} in a form that cannot be changed here. Change it by hand; --print shows the form.`,
  );
}

type Table = Record<string, unknown>;

function read(text: string, { file }: FileEdit): Table {
  try {
    return plain(parse(text)) as Table;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new CommandError(
      `${file}:${error.line} cannot be read (${error.message.split("\n")[0]}). Mend it, or print the form with --print.`,
    );
  }
}

/**
 * False for a text that is no longer valid TOML: a line-based edit is then unsafe, for example because the entry is
 * inside a multi-line string.
 */
function isReadable(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Removes the table at a path and its sub-tables from the text. */
function withoutTables(text: string, path: readonly string[]): string {
  let isWithin = false;
  const lines = text.split("\n").filter((line) => {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined) {
      const keys = header.split(".").map((key) => key.trim().replace(/^(["'])(.*)\1$/, "$2"));
      isWithin = path.every((key, index) => keys[index] === key);
    }
    return !isWithin;
  });
  return lines.join("\n");
}

function nested(path: readonly string[], value: unknown): Table {
  const [key = "", ...rest] = path;
  return { [key]: rest.length === 0 ? value : nested(rest, value) };
}

/** Copies a table with the value at a path replaced or removed. Tables that become empty are removed as well. */
function changed(table: Table, path: readonly string[], value: unknown): Table {
  const [key = "", ...rest] = path;
  const { [key]: old, ...others } = table;
  if (rest.length === 0) return value === undefined ? others : { ...table, [key]: plain(value) };
  const inner = changed((old ?? {}) as Table, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...table, [key]: inner };
}

/** Copies data without the classes and prototypes of the parser. */
function plain(value: unknown): unknown {
  return structuredClone(JSON.parse(JSON.stringify(value)));
}
