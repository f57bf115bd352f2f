import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { JsonLiteral } from "../../model/type.ts";
import { tagPlace } from "../comments/doc-text.ts";
import { report, type Place, type Reading } from "../base/reading.ts";
import type { Doc } from "../base/tsdoc.ts";

/** Reads the schema of `@inputSchema FILE`, relative to the module; an invalid file is a diagnostic. */
export function readInputSchema(reading: Reading, doc: Doc, place: Place): JsonLiteral | undefined {
  const tag = doc.tags.find((candidate) => candidate.name === "inputSchema");
  if (tag === undefined || tag.text === "" || /\s/.test(tag.text)) return undefined;
  const path = resolve(dirname(reading.file.fileName), tag.text);
  reading.readFiles.add(path);
  const problem = (reason: string): undefined => {
    report(reading, {
      code: "TN108",
      place: tagPlace(tag, place),
      message: `\`@inputSchema ${tag.text}\` is not valid: ${reason}.`,
      fix: 'name a JSON file beside the module, whose schema has `"type": "object"`',
    });
  };
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return problem("there is no such file");
  }
  try {
    const schema = JSON.parse(text) as JsonLiteral;
    const isObject = typeof schema === "object" && schema !== null && !Array.isArray(schema);
    return isObject && "type" in schema && schema.type === "object"
      ? schema
      : problem("it is not a schema of an object");
  } catch {
    return problem("it is not valid JSON");
  }
}
