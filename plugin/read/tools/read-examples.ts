import { ts } from "ts-morph";
import type { ToolModel } from "../../model/tool.ts";
import type { JsonLiteral, ObjectType } from "../../model/type.ts";
import { expressionFromText, readConstant } from "../base/constants.ts";
import { plainText, tagPlace } from "../comments/doc-text.ts";
import { report, type Place, type Reading } from "../base/reading.ts";
import type { Doc, DocTag } from "../base/tsdoc.ts";
import type { TypeContext } from "../base/type-context.ts";
import { requestMisfit } from "./request-misfit.ts";

type Example = NonNullable<ToolModel["examples"]>[number];

/**
 * Reads the `@example`s of a tool: a request as JSON, or a call of the tool with constants. The first line may be a
 * title.
 */
export function readExamples(
  context: TypeContext,
  doc: Doc,
  binding: string,
  request: ObjectType | undefined,
  positional: readonly string[],
  { place, others }: { readonly place: Place; readonly others: ReadonlySet<DocTag> },
): readonly Example[] {
  return doc.tags
    .filter((tag) => tag.name === "example" && !others.has(tag))
    .flatMap((tag) => {
      const { title, code } = splitExample(tag.text);
      const value = exampleValue(code, binding, positional);
      const problem = value === undefined ? undefined : requestMisfit(context, request, value);
      if (problem !== undefined || value === undefined) {
        reportBad(context.reading, tag, place, problem);
        return [];
      }
      return [
        {
          ...(title === undefined ? {} : { title: plainText(context.reading, title, tagPlace(tag, place)) }),
          request: value,
        },
      ];
    });
}

/** Splits an example. As in TSDoc, text on the line of the tag is a title if an example follows it. */
function splitExample(text: string): { readonly title?: string; readonly code: string } {
  const fenced = /^([\s\S]*?)(?:```|~~~)[^\n]*\n([\s\S]*?)\n\s*(?:```|~~~)/.exec(text);
  if (fenced !== null) {
    const title = fenced[1]?.trim() ?? "";
    return { ...(title === "" ? {} : { title }), code: fenced[2] ?? "" };
  }
  const end = text.indexOf("\n");
  const first = end < 0 ? "" : text.slice(0, end).trim();
  if (end < 0 || /^[[{"'`(]/.test(first) || expressionFromText(text) !== undefined)
    return { code: text.replace(/^`([\s\S]*)`$/, "$1") };
  return { title: first, code: text.slice(end + 1) };
}

function exampleValue(code: string, binding: string, positional: readonly string[]): JsonLiteral | undefined {
  const expression = expressionFromText(code.trim().replace(/;$/, ""));
  if (expression !== undefined) {
    const constant = readConstant(expression);
    if (constant.ok) return constant.value;
  }
  const file = ts.createSourceFile("example.ts", code, ts.ScriptTarget.ESNext, true);
  let call: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    if (call === undefined && ts.isCallExpression(node) && node.expression.getText(file) === binding) call = node;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return call === undefined ? undefined : callValue(call, positional);
}

function callValue(call: ts.CallExpression, positional: readonly string[]): JsonLiteral | undefined {
  const values = call.arguments.map((argument) => readConstant(argument));
  if (positional.length === 0) {
    const [first] = values;
    return first === undefined ? {} : first.ok ? first.value : undefined;
  }
  const entries: [string, JsonLiteral][] = [];
  for (const [index, value] of values.entries()) {
    const key = positional[index];
    if (key === undefined) break;
    if (!value.ok) return undefined;
    if (value.value !== undefined) entries.push([key, value.value]);
  }
  return Object.fromEntries(entries);
}

function reportBad(reading: Reading, tag: DocTag, place: Place, problem: string | undefined): void {
  report(reading, {
    code: "TN113",
    place: tagPlace(tag, place),
    message: `The example is not valid: ${problem ?? "it is neither JSON nor a call of the tool with constant arguments"}.`,
    fix:
      problem === undefined
        ? "write a request as JSON, in its wire form; prose stands above the tags"
        : "write a legal request, in its wire form",
  });
}
