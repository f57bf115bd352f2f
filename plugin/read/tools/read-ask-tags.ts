import type { ToolModel } from "../../model/tool.ts";
import type { JsonLiteral, ObjectType } from "../../model/type.ts";
import { expressionFromText, readConstant } from "../base/constants.ts";
import { report, type Place } from "../base/reading.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";
import type { TypeContext } from "../base/type-context.ts";
import { plainText, tagPlace } from "../comments/doc-text.ts";
import { requestMisfit } from "./request-misfit.ts";

type Ask = NonNullable<ToolModel["asks"]>[number];

/**
 * Reads the `@ask`s of a tool: a sentence of a user as a JSON text, and the request that a model should make for it, or
 * `none` if it should not call the tool.
 */
export function readAskTags(
  context: TypeContext,
  doc: Doc,
  request: ObjectType | undefined,
  { place, others }: { readonly place: Place; readonly others: ReadonlySet<DocTag> },
): readonly Ask[] {
  const tags = doc.tags.filter((tag) => tag.name === "ask" && !others.has(tag));
  return tags.flatMap((tag) => {
    const ask = askOf(tag.text);
    const misfit = ask?.request === undefined ? undefined : requestMisfit(context, request, ask.request);
    if (ask !== undefined && misfit === undefined)
      return [{ ...ask, sentence: plainText(context.reading, ask.sentence, tagPlace(tag, place)) }];
    report(context.reading, {
      code: "TN129",
      place: tagPlace(tag, place),
      message: `\`@ask\` is not valid: ${misfit ?? "it takes a sentence in quotes, and a request as JSON or `none`"}.`,
      fix:
        misfit === undefined
          ? 'write it as `@ask "Is 997 a prime number?" {"number": 997}`'
          : "write the request that the model should make, in its wire form",
    });
    return [];
  });
}

function askOf(text: string): Ask | undefined {
  const [, quoted = "", rest = ""] = /^("(?:[^"\\]|\\.)*")\s+(\S[\s\S]*)$/.exec(text.trim()) ?? [];
  const sentence = constantOf(quoted);
  if (typeof sentence !== "string" || sentence.trim() === "") return undefined;
  if (rest.trim() === "none") return { sentence };
  const request = constantOf(rest);
  return request === undefined ? undefined : { sentence, request };
}

/** The value of a text in the comment, as JSON or a constant expression; undefined for any other text. */
export function constantOf(text: string): JsonLiteral | undefined {
  const expression = expressionFromText(text.trim());
  const constant = expression && readConstant(expression);
  return constant?.ok === true ? constant.value : undefined;
}
