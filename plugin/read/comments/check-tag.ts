import { replaced } from "../base/edits.ts";
import { report, type Place, type Reading } from "../base/reading.ts";
import { isKnownTag, nearMiss, ownTags } from "../base/tag-names.ts";
import { ambiguousTags, synonymOf } from "../base/tag-synonyms.ts";
import type { DocTag } from "../base/tsdoc.ts";
import { tagPlace } from "./doc-text.ts";

/** Matches a text that consists of the name of one tag. */
const oneTag = /^`@[^`]+`$/;

/** Reports a tag that has no effect, or that is not written as a tag; returns true if it was reported. */
export function checkTag(reading: Reading, tag: DocTag, place: Place, isValue: boolean): boolean {
  const at = tagPlace(tag, place);
  const meant = nearMiss(tag.name);
  const other = synonymOf(tag.name);
  if (meant !== undefined)
    report(reading, {
      code: "TN109",
      place: at,
      message: `\`@${tag.name}\` is not a known tag; did you mean \`@${meant}\`?`,
      fix: `write \`@${meant}\``,
      edit: replaced(at, `@${meant}`),
    });
  else if (other !== undefined && (!isKnownTag(tag.name) || (isValue && hasValue(tag))))
    report(reading, {
      code: "TN109",
      place: at,
      message: `\`@${tag.name}\` is not a tag of tenon, so it has no effect.`,
      fix: `write ${other}`,
      ...(oneTag.test(other) && { edit: replaced(at, other.slice(1, -1)) }),
    });
  else if (!isKnownTag(tag.name))
    report(reading, {
      code: "TN109",
      place: at,
      message: `\`@${tag.name}\` is not a known tag, so ${tag.text === "" ? "it has" : "it and its text have"} no effect.`,
      fix: `remove it, write its text above the tags, or write \`\\@${tag.name}\` for the word itself`,
    });
  else if (ownTags.has(tag.name) && /[(:=]/.test(place.file.text.charAt(at.end)))
    report(reading, {
      code: "TN109",
      place: at,
      message: `\`@${tag.name}\` and its value have \`${place.file.text.charAt(at.end)}\` between them.`,
      fix: `write a space: \`@${tag.name} ${bareValue(tag)}\``,
    });
  else return false;
  return true;
}

/**
 * True if `@enum` has values: `@enum a, b` describes values, as in JSON Schema; `@enum {string}` describes code, as in
 * JSDoc.
 */
function hasValue({ name, text }: DocTag): boolean {
  return ambiguousTags.has(name) && text !== "" && !text.startsWith("{");
}

function bareValue({ text }: DocTag): string {
  return (text.split("\n")[0] ?? "").replace(/^\((.*)\)$/, "$1");
}
