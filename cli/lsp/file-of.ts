import { fileURLToPath } from "node:url";

/** The path of a document's file; undefined for a document without a file. */
export function fileOf(uri: string): string | undefined {
  return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
}
