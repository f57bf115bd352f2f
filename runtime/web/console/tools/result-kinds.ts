import { isRecord } from "../base/json.ts";
import type { ToolInfo } from "../client/definition.ts";
import { resolve, type Schema } from "../schema/schema.ts";

/** A kind of results, in words by which people search. */
export interface ResultKind {
  /** Name with its article, such as `a picture`. */
  readonly name: string;
  readonly words: string;
  /** True if nothing says that a result is of this kind, but it may be. */
  readonly isPossible?: boolean;
}

/** Kinds by the first part of media types; `formats`: words that stand only for such media. */
const media = [
  ["image", "a picture", "picture image drawing photo graphic chart plot diagram icon", "svg png jpeg jpg gif webp"],
  ["audio", "sound", "sound audio music speech", "wav mp3"],
  ["video", "a film", "film video movie", "mp4 webm"],
] as const;
const file = { name: "a file", words: "file artifact binary bytes download stream" };
const table = { name: "a table", words: "table rows list array" };

/** Maximum number of parts of a schema that are looked at. */
const mostParts = 200;

/** The kinds of a tool's results: by its schema, and by its author's words if a result has no schema. */
export function resultKinds({ name, title, description, result = {}, whole }: ToolInfo): readonly ResultKind[] {
  const parts = partsOf(result);
  const shape = `${whole["result-kind"]}`;
  const isOpen = /^(?:bytes|binary|content)$/.test(shape);
  const about = `${name.replaceAll(/[A-Z]/g, " $&")} ${title} ${description}`;
  const found: ResultKind[] = [];
  for (const [type, kind, others, formats] of media) {
    const words = `${others} ${formats}`;
    const isSaid = (isOpen || shape === "text") && says(about, shape === "text" ? formats : words);
    const isThere = ([key, part]: Part): boolean =>
      `${part.contentMediaType}`.startsWith(type) ||
      (part.type === "string" && says(`${key} ${part.description}`, part.contentEncoding ? words : formats));
    const isSure = isSaid || parts.some(isThere);
    if (isSure || isOpen) found.push({ name: kind, words, isPossible: !isSure });
  }
  const isFile = ([, { contentEncoding, pattern }]: Part): unknown =>
    contentEncoding ?? `${pattern}`.includes("artifact:");
  if (shape.startsWith("b") || parts.some(isFile)) found.push(file);
  const isTable = ([, { items }]: Part): unknown => items && resolve(items, result).properties;
  if (parts.some(isTable)) found.push(table);
  else if (parts.some(([, { items }]) => items))
    found.push({ name: "a list", words: "list array", isPossible: !resolve(result, result).items });
  return found;
}

/** True for a text with one of these words. */
function says(text: string, words: string): boolean {
  return new RegExp(`\\b(?:${words.replaceAll(" ", "|")})s?\\b`, "i").test(text);
}

type Part = readonly [key: string, schema: Schema];

/** A schema with its parts, definitions included, and the names of those that are fields. */
function partsOf(root: Schema): readonly Part[] {
  const found: Part[] = [["", root]];
  for (const [, { properties, $defs, items, prefixItems, anyOf, oneOf, allOf, additionalProperties }] of found) {
    if (found.length > mostParts) break;
    for (const group of [properties, $defs, { items, additionalProperties }, prefixItems, anyOf, oneOf, allOf])
      found.push(...Object.entries(group ?? {}).filter((part): part is [string, Schema] => isRecord(part[1])));
  }
  return found;
}
