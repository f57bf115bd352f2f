import { readFileSync, realpathSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { stepCauseKey } from "../../runtime/contract/process-keys.ts";
import { editorLink } from "./editor-link.ts";

/** Stack frame in the author's code, with the source lines around it. */
export interface OwnFrame {
  /** Name of the function; empty at the top of a module. */
  readonly name: string;
  /** Position such as `src/pay.ts:12:5`, relative to the project's folder. */
  readonly place: string;
  /** Address that opens the file in an editor. */
  readonly link: string;
  /** The line that was running, marked by `>`, and lines around it; empty if the file cannot be read or has changed. */
  readonly code: string;
  /** True if the file was saved after the code that ran, so that its lines are other ones. */
  readonly isChanged?: true;
}

/** Consecutive stack frames of other code: of packages, of Node, of tenon. */
export interface FoldedFrames {
  readonly folded: readonly string[];
}

export type Frame = OwnFrame | FoldedFrames;

/** A thrown error, or one of those within it: its causes, and the errors of an AggregateError. */
export interface Thrown {
  /** Relation to the error that has it, in the words of the log; absent for the thrown error. */
  readonly as?: "Caused by" | "One of them";
  /** Number of errors that have it as one of several. */
  readonly depth: number;
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
 * Reads a thrown value, and the errors within it in the order of the log: each of several with its causes, then the
 * cause of all. If they are too many, the last one says how many are left out.
 *
 * @param builtAt Time at which the code that ran was loaded, in milliseconds since 1970
 */
export function readThrown(thrown: unknown, root: string, builtAt = Infinity): readonly Thrown[] {
  // Errors that are causes of themselves are left out.
  const found = new Map<unknown, Place>();
  find(found, thrown, { depth: 0 });
  const read = [...found]
    .slice(0, mostErrors)
    .map(([one, place]) => ({ ...place, message: thrownMessage(one), frames: framesOf(one, root, builtAt) }));
  if (found.size <= mostErrors) return read;
  const more = `${found.size - mostErrors}${found.size < mostCounted ? "" : "+"}`;
  return [...read, { message: more === "1" ? "1 more error" : `${more} more errors`, depth: 0, frames: [] }];
}

type Place = Pick<Thrown, "as" | "depth">;

function find(found: Map<unknown, Place>, thrown: unknown, place: Place): void {
  if (found.has(thrown) || found.size === mostCounted) return;
  found.set(thrown, place);
  const { several, cause } = innerOf(thrown);
  for (const one of several) find(found, one, { as: "One of them", depth: place.depth + 1 });
  if (cause !== undefined) find(found, cause, { as: "Caused by", depth: place.depth });
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

function innerOf(thrown: unknown): { readonly several: readonly unknown[]; readonly cause?: unknown } {
  try {
    if (!(thrown instanceof Error)) return { several: [] };
    const error = thrown as Error & Readonly<Record<PropertyKey, unknown>>;
    const { errors, cause = error[stepCauseKey] } = error;
    return { several: Array.isArray(errors) ? errors : [], cause };
  } catch {
    return { several: [] };
  }
}

function framesOf(thrown: unknown, root: string, builtAt: number): readonly Frame[] {
  try {
    return thrown instanceof Error ? readStack(thrown.stack ?? "", root, builtAt) : [];
  } catch {
    return [];
  }
}

/** Parses the frames of a stack; frames in the project at `root` get their source lines. */
export function readStack(stack: string, root: string, builtAt = Infinity): readonly Frame[] {
  const frames: Frame[] = [];
  for (const line of stack
    .split("\n")
    .filter((one) => /^\s+at /.test(one))
    .slice(0, mostFrames)) {
    const own = ownFrame(line, root, builtAt);
    const last = frames.at(-1);
    if (own !== undefined) frames.push(own);
    else if (last !== undefined && "folded" in last)
      frames[frames.length - 1] = { folded: [...last.folded, line.trim()] };
    else frames.push({ folded: [line.trim()] });
  }
  return frames;
}

/** Parses a line of a stack; undefined unless its file belongs to the project. */
function ownFrame(line: string, root: string, builtAt: number): OwnFrame | undefined {
  const [, name = "", address = "", row = "", column = ""] =
    /^\s+at (?:(.*) \()?((?:file:\/\/)?[^()]*?):(\d+):(\d+)\)?$/.exec(line) ?? [];
  const path = pathOf(address);
  if (!isOwn(path, root)) return undefined;
  return {
    name: name.replace(/^async /, ""),
    place: `${relative(root, path).replaceAll(sep, "/")}:${row}:${column}`,
    link: editorLink(path, Number(row), Number(column)),
    ...(isSavedAfter(path, builtAt) ? { code: "", isChanged: true } : { code: codeAround(path, Number(row), root) }),
  };
}

function isSavedAfter(path: string, time: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > time;
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
