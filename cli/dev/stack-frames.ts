import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { foldFrames } from "../../runtime/telemetry/log/fold-frames.ts";
import { editorLink } from "./editor-link.ts";

/** Stack frame in the author's code, with the source lines around it. */
export interface OwnFrame {
  /** Name of the function; empty at the top of a module. */
  readonly name: string;
  /** Position such as `src/pay.ts:12:5`, relative to the project's folder. */
  readonly place: string;
  /** Address that opens the file in an editor. */
  readonly link: string;
  /**
   * The line that was running, marked by `>`, and lines around it; empty if the file cannot be read or has changed, in
   * a text, and where the same line stands above.
   */
  readonly code: string;
  /** True if the file was saved after the code that ran, so that its lines are other ones. */
  readonly isChanged?: true;
}

/** Consecutive stack frames of other code: of packages, of Node, of tenon. */
export interface FoldedFrames {
  readonly folded: readonly string[];
}

export type Frame = OwnFrame | FoldedFrames;

/** A stack, with the text before it. */
export interface StackPart {
  readonly message: string;
  readonly frames: readonly Frame[];
}

/** Files to which the frames of a stack lead. */
export interface StackPlace {
  /** Folder of the project. */
  readonly root: string;
  /** Time at which the code that ran was loaded, in milliseconds since 1970. */
  readonly builtAt?: number;
}

/** Maximum number of frames that are read. */
const mostFrames = 60;
/** Number of lines that are shown before and after the line that was running. */
const around = 3;

/**
 * Parses the frames of a stack.
 *
 * @param shown Lines of the project whose source is shown already; without it, no source is shown
 */
export function readStack(stack: string, place: StackPlace, shown?: Set<string>): readonly Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split("\n").filter(isFrame).slice(0, mostFrames)) {
    const own = ownFrame(line, place, shown);
    const last = frames.at(-1);
    if (own !== undefined) frames.push(own);
    else if (last !== undefined && "folded" in last)
      frames[frames.length - 1] = { folded: [...last.folded, line.trim()] };
    else frames.push({ folded: [line.trim()] });
  }
  return frames;
}

/**
 * Reads the stacks in a text, such as those of logged errors: the text before them, and each stack with the text
 * between it and the one before. A text without frames of the project is returned whole.
 */
export function readText(text: string, place: StackPlace): readonly [string, readonly StackPart[]] {
  const parts: { readonly said: string[]; readonly stack: string[] }[] = [{ said: [], stack: [] }];
  for (const line of text.split("\n")) {
    const isText = !isFrame(line);
    if (isText && parts.at(-1)?.stack.length !== 0) parts.push({ said: [], stack: [] });
    const last = parts.at(-1);
    (isText ? last?.said : last?.stack)?.push(line);
  }
  const [first, ...others] = parts.map(({ said, stack }) => ({
    message: said.join("\n"),
    frames: readStack(stack.join("\n"), place),
  }));
  if (first === undefined || ![first, ...others].some(({ frames }) => frames.some((frame) => "place" in frame)))
    return [foldFrames(text), []];
  return [first.message, [{ ...first, message: "" }, ...others]];
}

/** Parses a line of a stack; undefined unless its file belongs to the project. */
function ownFrame(line: string, { root, builtAt = Infinity }: StackPlace, shown?: Set<string>): OwnFrame | undefined {
  // Node prints a brace behind the last frame of an error that has fields, such as its cause.
  const [, name = "", address = "", row = "", column = ""] =
    /^\s+at (?:async )?(?:(.*) \()?((?:file:\/\/)?[^()]*?):(\d+):(\d+)\)?(?: \{)?$/.exec(line) ?? [];
  const path = pathOf(address);
  if (!isOwn(path, root)) return undefined;
  const spot = `${relative(root, path).replaceAll(sep, "/")}:${row}`;
  const isChanged = isSavedAfter(path, builtAt);
  const code = isChanged || shown?.has(spot) !== false ? "" : codeAround(path, Number(row), root);
  shown?.add(spot);
  return {
    name,
    place: `${spot}:${column}`,
    link: editorLink(path, Number(row), Number(column)),
    code,
    ...(isChanged && { isChanged }),
  };
}

function isFrame(line: string): boolean {
  return /^\s+at /.test(line);
}

function isSavedAfter(path: string, time: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > time;
}

function pathOf(address: string): string {
  try {
    // An address of another scheme is not a path below the folder of this process.
    return address.startsWith("file:") ? fileURLToPath(address) : isAbsolute(address) ? resolve(address) : "";
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
