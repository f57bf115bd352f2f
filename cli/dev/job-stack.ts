import { readFileSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { editorLink } from "./editor-link.ts";

/** A call of the author's code, with the lines around it. */
export interface OwnFrame {
  /** Name of the function; empty at the top of a module. */
  readonly name: string;
  /** `src/pay.ts:12:5`, from the folder of the project. */
  readonly place: string;
  /** Opens the file in an editor. */
  readonly link: string;
  /** The line that was running, marked by `>`, between its neighbours; empty where the file cannot be read. */
  readonly code: string;
}

/** Calls of other code one behind the other: of packages, of Node, of tenon. */
export interface FoldedFrames {
  readonly folded: readonly string[];
}

export type Frame = OwnFrame | FoldedFrames;

/** Frames that are read at most. */
const mostFrames = 60;
/** Lines that are shown before and after the one that was running. */
const around = 3;

/** The calls that a stack names, those of the project at `root` with their source. */
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

/** A call that a line of a stack names, if its file is one of the project. */
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
    // Such as a file of another host.
    return "";
  }
}

/** True for a source file below the folder: what packages and the build made is not the author's. */
function isOwn(path: string, root: string): boolean {
  return (
    path.startsWith(root + sep) &&
    /\.[cm]?[jt]sx?$/.test(path) &&
    !/[\\/](?:node_modules|\.tenon|dist)[\\/]/.test(path.slice(root.length))
  );
}

/** A text of an error may look like a stack, so links that lead out of the folder are not followed. */
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
