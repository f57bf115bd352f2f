import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, type ParseError, parseTree } from "jsonc-parser";

/**
 * Appends the missing elements to a list in a JSON file with comments; everything else stays byte for byte. An element
 * with a label or a name counts as present if the list has one with the same label or name.
 *
 * @returns Undefined for a file that cannot be read, or in which a list is expected and something else is found
 */
export function appendMissing(before: string, wanted: string): string | undefined {
  let text: string | undefined = before.trim() === "" ? "{}\n" : before;
  for (const [key, list] of Object.entries(JSON.parse(wanted) as Readonly<Record<string, unknown>>)) {
    if (text !== undefined && Array.isArray(list)) text = append(text, key, list);
  }
  return text;
}

function append(text: string, key: string, wanted: readonly unknown[]): string | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (tree?.type !== "object" || errors.length > 0) return undefined;
  const list = findNodeAtLocation(tree, [key]);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const written = (value: unknown, depth: number): string =>
    JSON.stringify(value, null, unit).replaceAll("\n", eol + unit.repeat(depth));
  const insert = (offset: number, added: string): string => text.slice(0, offset) + added + text.slice(offset);
  if (list === undefined) {
    const last = tree.children?.at(-1);
    const member = `${eol}${unit}"${key}": ${written(wanted, 1)}`;
    return last === undefined ? insert(tree.offset + 1, member + eol) : insert(last.offset + last.length, `,${member}`);
  }
  if (list.type !== "array") return undefined;
  const known = (getNodeValue(list) as readonly unknown[]).map(identity);
  const missing = wanted.filter((one) => !known.some((other) => isDeepStrictEqual(other, identity(one))));
  if (missing.length === 0) return text;
  const lines = missing.map((one) => `${eol}${unit.repeat(2)}${written(one, 2)}`).join(",");
  const last = list.children?.at(-1);
  return last === undefined
    ? insert(list.offset + 1, lines + (text[list.offset + 1] === "]" ? eol + unit : ""))
    : insert(last.offset + last.length, `,${lines}`);
}

function identity(value: unknown): unknown {
  const { label, name } = Object(value) as { readonly label?: unknown; readonly name?: unknown };
  return label ?? name ?? value;
}
