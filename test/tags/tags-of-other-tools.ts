import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { StandardTags } from "@microsoft/tsdoc";

type Tags = Readonly<Record<string, readonly string[]>>;

/** The list of an ESLint plugin, which does not export it. */
const list = join(import.meta.dirname, "../../node_modules/eslint-plugin-jsdoc/src/tagNames.js");
const { jsdocTags, typeScriptTags, closureTags } = (await import(pathToFileURL(list).href)) as Readonly<
  Record<"jsdocTags" | "typeScriptTags" | "closureTags", Tags>
>;

/** The tags of TSDoc, JSDoc, TypeScript, the Closure Compiler and API Extractor. */
export const tagsOfOtherTools: ReadonlySet<string> = new Set([
  ...StandardTags.allDefinitions.map(({ tagName }) => tagName.slice(1)),
  ...[jsdocTags, typeScriptTags, closureTags].flatMap((tags) => Object.entries(tags).flat(2)),
  "betaDocumentation",
  "internalRemarks",
  "preapproved",
]);
