import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { CommandError } from "../../base/usage.ts";
import type { FileEdit } from "./host.ts";

/**
 * Changes the tables of one entry in a TOML file; comments and everything else stay as they are. A file that writes the
 * entry in another form than by tables of its own is refused.
 */
export function editToml(text: string, edit: FileEdit): string {
  const { at, name, entry } = edit;
  const before = read(text, edit);
  const rest = withoutTables(text, [...at, name]);
  const tables = entry === undefined ? "" : stringify(nested([...at, name], entry)).trim();
  // Of nested tables only the inner ones are written, since the outer ones may be there.
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

/** Not so where the entry is written in a way that its lines do not show, as within a text of several lines. */
function isReadable(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text without the table of a path and the tables below it. */
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

/** A copy with the value at a path, or without it. An empty table that is left over counts as none. */
function changed(table: Table, path: readonly string[], value: unknown): Table {
  const [key = "", ...rest] = path;
  const { [key]: old, ...others } = table;
  if (rest.length === 0) return value === undefined ? others : { ...table, [key]: plain(value) };
  const inner = changed((old ?? {}) as Table, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...table, [key]: inner };
}

/** Data without the classes and prototypes of the parser. */
function plain(value: unknown): unknown {
  return structuredClone(JSON.parse(JSON.stringify(value)));
}
