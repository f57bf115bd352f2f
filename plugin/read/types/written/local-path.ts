import type { FieldModel } from "../../../model/type.ts";
import { report, type Place, type Reading } from "../../base/reading.ts";

/** Words in a key that mean a local file. */
const pathWords: ReadonlySet<string> = new Set([
  "file",
  "files",
  "filename",
  "filepath",
  "path",
  "paths",
  "dir",
  "directory",
  "folder",
]);
/** Words that mean another kind of path. */
const otherPaths: ReadonlySet<string> = new Set([
  "json",
  "xpath",
  "url",
  "uri",
  "urn",
  "http",
  "route",
  "api",
  "id",
  "object",
  "pointer",
  "svg",
  "type",
  "format",
  "kind",
  "size",
  "count",
  "content",
  "contents",
  "text",
  "extension",
]);

/** Warns about a string in a request whose name suggests a path on the service's machine. */
export function checkLocalPath(reading: Reading, field: FieldModel, place: Place): void {
  const type = field.type.kind === "array" ? field.type.items : field.type;
  if (type.kind !== "string" || type.format !== undefined || type.patterns !== undefined) return;
  const words = field.key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const last = words.at(-1) ?? "";
  if (
    !(pathWords.has(last) || (last === "name" && words.at(-2) === "file")) ||
    words.some((word) => otherPaths.has(word))
  )
    return;
  report(reading, {
    code: "TN205",
    place,
    message: `Field \`${field.key}\` looks like a path of a local file, which a caller cannot give.`,
    fix: "take an `ArtifactUrn`, and open it with `job.platform.getArtifact(urn)`",
  });
}
