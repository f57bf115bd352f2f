import { vscodeFiles } from "./vscode-files.ts";
import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, type ParseError, parseTree } from "jsonc-parser";

/** A file that `tenon init` writes or keeps. */
export interface PlannedFile {
  readonly path: string;
  readonly action: "made" | "extended" | "kept" | "kept, since it cannot be read";
  /** Undefined for a file that is kept. */
  readonly text: string | undefined;
}

/**
 * Decides for every file of a new service whether it is written, merged with an existing one, or kept. No existing text
 * is changed or lost: package.json gets missing scripts and dependencies, lists of ignored files get missing lines,
 * files of VS Code get missing entries, and every other existing file is kept.
 *
 * @param files The files of a new service, by path
 * @param read The text of an existing file
 */
export function planInit(
  files: Readonly<Record<string, string>>,
  read: (path: string) => string | undefined,
): readonly PlannedFile[] {
  // Either all files of the example are written or none: an existing service has its own tools.
  const withExample = Object.keys(files).every((path) => !isExample(path) || read(path) === undefined);
  return Object.entries(files)
    .filter(([path]) => withExample || !isExample(path))
    .map(([path, text]) => {
      const before = read(path);
      if (before === undefined) return { path, action: "made", text };
      const joined = join(path, before, text);
      if (joined === undefined) return { path, action: "kept, since it cannot be read", text: undefined };
      return joined === before ? { path, action: "kept", text: undefined } : { path, action: "extended", text: joined };
    });
}

const isExample = (path: string): boolean => /^(?:src|service)\/.*\.ts$/.test(path);

/**
 * True for the part of a tsconfig.json that excludes a service; a complete tsconfig.json is only written if there is
 * none.
 */
function isExclusion(path: string, text: string): boolean {
  return path === "tsconfig.json" && !("compilerOptions" in (JSON.parse(text) as object));
}

/** Merges a file with an existing one; undefined for a file that cannot be read. */
function join(path: string, before: string, text: string): string | undefined {
  if (path === "package.json") return joinPackages(before, text);
  if (path in vscodeFiles || isExclusion(path, text)) return appendMissing(before, text);
  return path.startsWith(".") && path.endsWith("ignore") ? joinLines(before, text) : before;
}

interface PackageJson {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly tenon?: Readonly<Record<string, unknown>>;
}

/**
 * Merges package.json with an existing one.
 *
 * @throws SyntaxError when the project's package.json is not JSON
 */
function joinPackages(before: string, text: string): string {
  const [theirs, ours] = [JSON.parse(before) as PackageJson, JSON.parse(text) as PackageJson];
  const devDependencies = { ...withoutThoseIn(theirs.dependencies, ours.devDependencies), ...theirs.devDependencies };
  // If the project has a script with this name, the script stays, and tenon's script gets another name.
  const scripts = { ...theirs.scripts };
  for (const [name, command] of Object.entries(ours.scripts ?? {}))
    if (!Object.values(scripts).includes(command)) scripts[name in scripts ? `tenon:${name}` : name] = command;
  const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? 2;
  const joined = JSON.stringify({ ...theirs, scripts, devDependencies, ...withOptions(theirs, ours) }, null, indent);
  return joined === JSON.stringify(theirs, null, indent) ? before : `${joined}\n`;
}

function withOptions(theirs: PackageJson, ours: PackageJson): Pick<PackageJson, "tenon"> {
  const tenon = { ...ours.tenon, ...theirs.tenon };
  return Object.keys(tenon).length === 0 ? {} : { tenon };
}

function withoutThoseIn(
  taken: Readonly<Record<string, string>> = {},
  wanted: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !Object.hasOwn(taken, name)));
}

function joinLines(before: string, text: string): string {
  const known = new Set(before.split("\n").map((line) => line.trim()));
  const missing = text.split("\n").filter((line) => line !== "" && !known.has(line));
  return missing.length === 0 ? before : `${before.trimEnd()}\n${missing.join("\n")}\n`;
}

/**
 * Appends the missing elements to a list in a JSON file with comments; everything else stays byte for byte. An element
 * with a label or a name counts as present if the list has one with the same label or name.
 *
 * @returns Undefined for a file that cannot be read, or in which a list is expected and something else is found
 */
function appendMissing(before: string, wanted: string): string | undefined {
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
