import type { ToolModel } from "../model/tool.ts";
import type { FieldModel } from "../model/type.ts";
import { fieldText, requestFields, showsRequest, type TextFinding } from "./text-finding.ts";
import { contentOf, isJudged, nameWords, textWords } from "./words.ts";

/** Names that are too general. */
const vague: ReadonlySet<string> = new Set(["id", "data", "options", "value", "input", "name"]);
/** Words that do not make a general name more specific. */
const empty: ReadonlySet<string> = new Set(
  contentOf(textWords("id data option value input name object string number")),
);
/** Number of words from which on a text is informative. */
const wordsOfText = 3;
/** Matches a name that is not a word: `a`, `x2`, `text1`. */
const nameless = /^(?:[a-z]{1,2}|arg|param|[a-z]+\d)$/i;

/**
 * TN605: a parameter with a general name and no text, or two parameters of one type that only their order
 * distinguishes.
 */
export function parameterUnclear(tool: ToolModel): readonly TextFinding[] {
  if (showsRequest(tool)) return [];
  const fields = requestFields(tool);
  const unclear = fields.filter((field) => vague.has(field.key) && !saysMore(field));
  return [
    ...unclear.map((field): TextFinding => {
      const is = fieldText(field).trim() === "" ? "has no text" : "says no more than its name";
      return {
        code: "TN605",
        at: field.at ?? tool.position,
        message: `Parameter \`${field.key}\` of tool \`${tool.name}\` ${is}, and its name fits any value.`,
        fix: "say in three words or more of what it is, in which form",
      };
    }),
    ...alikeIn(tool, fields),
  ];
}

function saysMore(field: FieldModel): boolean {
  const text = fieldText(field);
  if (text.trim() === "") return hasOwnValues(field);
  if (!isJudged(text)) return true;
  const words = textWords(text);
  const named = new Set(contentOf(nameWords(field.key)));
  return (
    words.length >= wordsOfText ||
    hasOwnValues(field) ||
    contentOf(words).some((one) => !named.has(one) && !empty.has(one))
  );
}

/** True for a field whose allowed values or examples explain it. */
function hasOwnValues({ type, examples }: FieldModel): boolean {
  const isChoice = type.kind === "union" && type.members.every(({ kind }) => kind === "literal");
  return isChoice || type.kind === "literal" || (examples ?? type.examples ?? []).length > 0;
}

function alikeIn(tool: ToolModel, fields: readonly FieldModel[]): readonly TextFinding[] {
  const silent = fields.filter((field) => fieldText(field).trim() === "" && !hasOwnValues(field));
  const found = new Map<string, FieldModel>();
  return silent.flatMap((field) => {
    const { kind } = field.type;
    if (!["string", "number", "boolean"].includes(kind) || !nameless.test(field.key)) return [];
    const first = found.get(kind);
    found.set(kind, field);
    if (first === undefined) return [];
    return [
      {
        code: "TN605",
        at: field.at ?? tool.position,
        message: `Parameters \`${first.key}\` and \`${field.key}\` of tool \`${tool.name}\` are of one type, and neither has a text or an \`@example\`.`,
        fix: "say of each what it is, or give the tool an `@example`",
      } satisfies TextFinding,
    ];
  });
}
