import {
  accessSync,
  chownSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "../../base/usage.ts";
import type { FileEdit, Host } from "./host.ts";

/** Returns the file's text after the change. Throws `CommandError` for a text that cannot be parsed. */
export async function editText(format: Host["format"], text: string, edit: FileEdit): Promise<string> {
  const edited = await editorOf(format);
  // Removes a byte order mark, which some editors write and no parser accepts.
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  try {
    return mark + edited(text.slice(mark.length), edit);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`${edit.file} is nested too deeply to be changed here. Change it by hand.`);
  }
}

const byteOrderMark = "\uFEFF";

async function editorOf(format: Host["format"]): Promise<(text: string, edit: FileEdit) => string> {
  if (format === "json") return (await import("./edit-json.ts")).editJson;
  if (format === "yaml") return (await import("./edit-yaml.ts")).editYaml;
  return (await import("./edit-toml.ts")).editToml;
}

/** Empty for a file that does not exist. Throws `CommandError` for a file that is not readable as text. */
export function readFile(file: string): string {
  const target = targetOf(file);
  if (statOf(target) === undefined) return "";
  const bytes = attempt(file, "read", () => readFileSync(target));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError(`${file} is not UTF-8, and would be damaged by a change. Save it as UTF-8 first.`);
  }
}

/**
 * Replaces a file in one step and keeps its mode and owner; a symbolic link is kept. Throws `CommandError` if that is
 * not possible, or if the file has changed since it was read, because the host has written it meanwhile.
 *
 * @param before The text that was read
 */
export function replaceFile(file: string, text: string, before: string): void {
  if (readFile(file) !== before) {
    throw new CommandError(`${file} was changed by another program meanwhile. Nothing was written; run this again.`);
  }
  const target = targetOf(file);
  const draft = `${target}.${process.pid}.tmp`;
  attempt(file, "written", () => {
    const known = statOf(target);
    mkdirSync(dirname(target), { recursive: true });
    if (known !== undefined) accessSync(target, constants.W_OK);
    // An existing draft is never overwritten, since it may be a link to another file.
    writeFileSync(draft, text, { mode: known === undefined ? 0o600 : known.mode & 0o777, flag: "wx" });
    try {
      if (known !== undefined && known.uid !== process.getuid?.()) chownSync(draft, known.uid, known.gid);
      renameSync(draft, target);
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/** The target of a symbolic link. */
function targetOf(file: string): string {
  if (attempt(file, "read", () => lstatSync(file, { throwIfNoEntry: false }))?.isSymbolicLink() !== true) return file;
  return attempt(file, "read", () => realpathSync(file));
}

/** Returns the status of a file; undefined if the file does not exist. */
function statOf(target: string): Stats | undefined {
  const found = attempt(target, "read", () => statSync(target, { throwIfNoEntry: false }));
  // Anything but a file is refused: opening a pipe would wait for ever.
  if (found?.isFile() === false) throw new CommandError(`${target} is not a file.`);
  return found;
}

function attempt<T>(file: string, what: "read" | "written", act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new CommandError(`${file} cannot be ${what} (${code}). Mend that, or print the form with --print.`);
  }
}
