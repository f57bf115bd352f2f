import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { FileEdit, Host } from "./host.ts";

/** The file's text with the change. Throws `CommandError` for a text that cannot be read. */
export async function editText(format: Host["format"], text: string, edit: FileEdit): Promise<string> {
  if (format === "json") return (await import("./edit-json.ts")).editJson(text, edit);
  if (format === "yaml") return (await import("./edit-yaml.ts")).editYaml(text, edit);
  return (await import("./edit-toml.ts")).editToml(text, edit);
}

/** Empty for a file that does not exist. */
export function readFile(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Replaces a file in one step and keeps its mode; a link stays one. */
export function replaceFile(file: string, text: string): void {
  const target = existsSync(file) && lstatSync(file).isSymbolicLink() ? realpathSync(file) : file;
  mkdirSync(dirname(target), { recursive: true });
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600;
  const draft = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}
