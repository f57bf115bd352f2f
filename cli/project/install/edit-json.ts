import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  modify,
  type Node,
  type ParseError,
  parse,
  parseTree,
  findNodeAtLocation,
  getNodeValue,
  printParseErrorCode,
} from "jsonc-parser";
import { CommandError } from "../../base/usage.ts";
import type { FileEdit } from "./host.ts";

/** Changes one entry of a JSON file; comments and everything else stay as they are. */
export function editJson(text: string, { file, at, name, entry, inputs = [] }: FileEdit): string {
  const before = text.trim() === "" ? "{}\n" : text;
  const errors: ParseError[] = [];
  const tree = parseTree(before, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || tree?.type !== "object") {
    const line = before.slice(0, error?.offset ?? 0).split("\n").length;
    const reason = error === undefined ? "it is not an object" : printParseErrorCode(error.error);
    throw new CommandError(`${file}:${line} cannot be read (${reason}). Mend it, or print the form with --print.`);
  }
  let after = set(before, [...at, name], entry);
  const known = (parse(before) as { readonly inputs?: unknown }).inputs;
  const ids = new Set(Array.isArray(known) ? known.map((input: { readonly id?: unknown }) => input.id) : []);
  const missing = entry === undefined ? [] : inputs.filter(({ id }) => !ids.has(id));
  if (missing.length > 0)
    after = set(after, ["inputs"], [...(Array.isArray(known) ? (known as unknown[]) : []), ...missing]);
  return after;
}

/**
 * Sets a value, or removes it when it is undefined. The library's own formatting would change the lines beside it, so that
 * the new text is indented here.
 */
function set(text: string, path: readonly string[], value: unknown): string {
  const tree = parseTree(text);
  const nodeAt = (at: readonly string[]): Node | undefined =>
    tree === undefined ? undefined : findNodeAtLocation(tree, [...at]);
  const node = nodeAt(path);
  if (value === undefined) return node === undefined ? text : applyEdits(text, modify(text, [...path], undefined, {}));
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const written = (depth: number): string =>
    JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${unit.repeat(depth)}`);
  const replace = (offset: number, length: number, content: string): string =>
    applyEdits(text, [{ offset, length, content }]);
  if (node !== undefined) {
    const same = isDeepStrictEqual(plain(getNodeValue(node)), plain(value));
    return same ? text : replace(node.offset, node.length, written(path.length));
  }
  const parentPath = path.slice(0, -1);
  const key = path.at(-1) ?? "";
  const parent = nodeAt(parentPath);
  if (parent === undefined) return set(text, parentPath, { [key]: value });
  const line = `${eol}${unit.repeat(path.length)}${JSON.stringify(key)}: ${written(path.length)}`;
  const last = parent.children?.at(-1);
  if (last !== undefined) return replace(last.offset + last.length, 0, `,${line}`);
  return replace(parent.offset, parent.length, `{${line}${eol}${unit.repeat(parentPath.length)}}`);
}

/** A copy as JSON has it: the library's objects have no prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
