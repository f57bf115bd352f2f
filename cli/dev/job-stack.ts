import { readFileSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { editorLink } from "./editor-link.ts";

/** Stack frame in the author's code, with the source lines around it. */
export interface OwnFrame {
  /** Name of the function; empty at the top of a module. */
  readonly name: string;
  /** Position such as `src/pay.ts:12:5`, relative to the project's folder. */
  readonly place: string;
  /** Address that opens the file in an editor. */
  readonly link: string;
  /** The line that was running, marked by `>`, and lines around it; empty if the file cannot be read. */
  readonly code: string;
}

/** Consecutive stack frames of other code: of packages, of Node, of tenon. */
export interface FoldedFrames {
  readonly folded: readonly string[];
}

export type Frame = OwnFrame | FoldedFrames;

/** A thrown error, or a cause of it. */
export interface Thrown {
  readonly message: string;
  readonly frames: readonly Frame[];
}

/** Maximum number of errors that are read: the thrown one, its causes, and the errors of an AggregateError. */
const mostErrors = 10;
/** Maximum number of errors that are counted. */
const mostCounted = 1000;
/** Maximum number of frames that are read. */
const mostFrames = 60;
/** Number of lines that are shown before and after the line that was running. */
const around = 3;

/**
 * Reads a thrown value, then its causes and inner errors from the outside to the inside. If they are too many, the last
 * one says how many are left out.
 */
export function readThrown(thrown: unknown, root: string): readonly Thrown[] {
  // A set leaves out errors that are causes of themselves, and is walked while it grows.
  const found = new Set([thrown]);
  for (const one of found) for (const next of innerOf(one)) if (found.size < mostCounted) found.add(next);
  const read = [...found]
    .slice(0, mostErrors)
    .map((one) => ({ message: thrownMessage(one), frames: framesOf(one, root) }));
  if (found.size <= mostErrors) return read;
  const more = `${found.size - mostErrors}${found.size < mostCounted ? "" : "+"}`;
  return [...read, { message: more === "1" ? "1 more error" : `${more} more errors`, frames: [] }];
}

/** The text of a thrown value, with the name of an error; also of a value that throws when it is read. */
export function thrownMessage(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return thrown;
    return thrown instanceof Error ? String(thrown) : inspect(thrown);
  } catch {
    return "[not printable]";
  }
}

function innerOf(thrown: unknown): readonly unknown[] {
  try {
    if (!(thrown instanceof Error)) return [];
    const inner: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [];
    return [thrown.cause, ...inner].filter((one) => one !== undefined);
  } catch {
    return [];
  }
}

function framesOf(thrown: unknown, root: string): readonly Frame[] {
  try {
    return thrown instanceof Error ? readStack(thrown.stack ?? "", root) : [];
  } catch {
    return [];
  }
}

/** Parses the frames of a stack; frames in the project at `root` get their source lines. */
export function readStack(stack: string, root: string): readonly Frame[] {
  const frames: Frame[] = [];
  for (const line of stack
    .split("\n")
    .filter((one) => /^\s+at /.test(one))
    .slice(0, mostFrames)) {
    const own = ownFrame(line, root);
    const last = frames.at(-1);
    if (own !== undefined) frames.push(own);
    else if (last !== undefined && "folded" in last)
      frames[frames.length - 1] = { folded: [...last.folded, line.trim()] };
    else frames.push({ folded: [line.trim()] });
  }
  return frames;
}

/** Parses a line of a stack; undefined unless its file belongs to the project. */
function ownFrame(line: string, root: string): OwnFrame | undefined {
  const [, name = "", address = "", row = "", column = ""] =
    /^\s+at (?:(.*) \()?((?:file:\/\/)?[^()]*?):(\d+):(\d+)\)?$/.exec(line) ?? [];
  const path = pathOf(address);
  if (!isOwn(path, root)) return undefined;
  return {
    name: name.replace(/^async /, ""),
    place: `${relative(root, path).replaceAll(sep, "/")}:${row}:${column}`,
    link: editorLink(path, Number(row), Number(column)),
    code: codeAround(path, Number(row), root),
  };
}

function pathOf(address: string): string {
  try {
    return resolve(address.startsWith("file:") ? fileURLToPath(address) : address);
  } catch {
    // The URL does not name a local file, for example because it has a host name.
    return "";
  }
}

/** True for a source file below the folder that is neither in a package nor made by the build. */
function isOwn(path: string, root: string): boolean {
  return (
    path.startsWith(root + sep) &&
    /\.[cm]?[jt]sx?$/.test(path) &&
    !/[\\/](?:node_modules|\.tenon|dist)[\\/]/.test(path.slice(root.length))
  );
}

/**
 * Reads the source lines around a position. Links that lead out of the folder are not followed, since an error text may
 * imitate a stack.
 */
function codeAround(path: string, row: number, root: string): string {
  try {
    if (!isOwn(realpathSync(path), realpathSync(root))) return "";
    const lines = readFileSync(path, "utf8").split("\n");
    const first = Math.max(0, row - 1 - around);
    const shown = lines.slice(first, row + around);
    const digits = String(first + shown.length).length;
    return shown
      .map((text, index) => {
        const number = first + index + 1;
        return `${number === row ? ">" : " "} ${String(number).padStart(digits)} | ${text.slice(0, 200)}`;
      })
      .join("\n");
  } catch {
    return "";
  }
}
