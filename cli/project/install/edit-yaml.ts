import { parseDocument } from "yaml";
import { CommandError } from "../../base/usage.ts";
import type { FileEdit } from "./host.ts";

/** Changes one entry of a YAML file; comments and everything else stay as they are. */
export function editYaml(text: string, { file, at, name, entry }: FileEdit): string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const [start] = error.linePos ?? [];
    throw new CommandError(
      `${file}:${start?.line ?? 1} cannot be read (${error.code}). Mend it, or print the form with --print.`,
    );
  }
  const path = [...at, name];
  if (entry === undefined) {
    if (!document.hasIn(path)) return text;
    document.deleteIn(path);
  } else document.setIn(path, document.createNode(entry));
  return document.toString({ lineWidth: 0 });
}
