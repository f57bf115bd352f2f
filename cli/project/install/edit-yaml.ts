import { type Document, isMap, isScalar, parseDocument } from "yaml";
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
  requireMaps(document, at, file);
  if (entry === undefined) {
    if (!document.hasIn(path)) return text;
    document.deleteIn(path);
  } else document.setIn(path, document.createNode(entry));
  return document.toString({ lineWidth: 0 });
}

/** Throws if the change would replace something else. Empty values become maps. */
function requireMaps(document: Document, at: readonly string[], file: string): void {
  for (let depth = 0; depth <= at.length; depth++) {
    const path = at.slice(0, depth);
    const found = depth === 0 ? document.contents : document.getIn(path, true);
    if (found === undefined || found === null || isMap(found)) continue;
    if (isScalar(found) && found.value === null) {
      document.setIn(path, document.createNode({}));
      continue;
    }
    const what = depth === 0 ? "the file" : JSON.stringify(path.join("."));
    throw new CommandError(
      `${file}: ${what} is not a map of its own, and cannot be changed here. Mend it, or print the form with --print.`,
    );
  }
}
