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
  const path = [...at, name];
  requireObjects(tree, path, file);
  const after = set(before, path, entry);
  const known = (parse(before) as { readonly inputs?: unknown }).inputs;
  const ids = new Set(Array.isArray(known) ? known.map((input: { readonly id?: unknown }) => input.id) : []);
  const missing = entry === undefined ? [] : inputs.filter(({ id }) => !ids.has(id));
  if (missing.length === 0) return after;
  if (known !== undefined && !Array.isArray(known))
    throw new CommandError(`${file}: "inputs" is not a list. Mend it, or print the form with --print.`);
  requireObjects(tree, ["inputs"], file);
  return set(after, ["inputs"], [...(Array.isArray(known) ? (known as unknown[]) : []), ...missing]);
}

/** Throws if the change would replace something else, or if the host would not find it. */
function requireObjects(tree: Node, path: readonly string[], file: string): void {
  let node: Node | undefined = tree;
  for (const [depth, key] of path.entries()) {
    if (node === undefined || node.type === "null") return;
    const found: readonly Node[] = (node.children ?? []).filter(({ children }) => children?.[0]?.value === key);
    if (node.type !== "object" || found.length > 1) {
      const [where, reason] =
        node.type === "object"
          ? [path.slice(0, depth + 1), "is there twice"]
          : [path.slice(0, depth), "is not an object"];
      throw new CommandError(
        `${file}: ${JSON.stringify(where.join("."))} ${reason}, and cannot be changed here. Mend it, or print the form with --print.`,
      );
    }
    node = found[0]?.children?.[1];
  }
}

/**
 * Sets a value, or removes it when it is undefined. The new text is indented here, since the library's own formatting
 * would change neighbouring lines.
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
  // The range includes comments between the braces, which stay.
  const within =
    parent.type === "object" ? text.slice(parent.offset + 1, parent.offset + parent.length - 1).trimEnd() : "";
  return replace(parent.offset, parent.length, `{${within}${line}${eol}${unit.repeat(parentPath.length)}}`);
}

/** Makes a plain copy, since the library's objects have no prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
