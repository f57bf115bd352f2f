import type { ts } from "ts-morph";
import { indented } from "../base/comment.ts";
import { leaveOpen } from "../base/context.ts";
import { staticText } from "../base/static-value.ts";
import { carryNeeds } from "../code/carry.ts";
import { copiedType } from "../code/copy-models.ts";
import type { Draft, Drafts } from "../code/drafts.ts";
import { captureBinding, mentions } from "../code/handler.ts";
import { textWithUrn } from "../code/model-urn.ts";
import { editedText } from "../code/source-edits.ts";
import type { MethodComment } from "./tsoa-comment.ts";
import { decoratorsOf } from "./tsoa-decorators.ts";

/** Decorators of parameters whose values come from the caller. A parameter without a decorator is part of the path. */
const parts = /^(?:Query|Queries|Path|Body|BodyProp|Header|FormField)$/;

/** True for a parameter whose value comes from the caller. */
export function isGiven(parameter: ts.ParameterDeclaration): boolean {
  return decoratorsOf(parameter).every(({ name }) => parts.test(name));
}

/** Makes the parameters of the function, and the statements for parameters that callers know by another name. */
export function parametersOf(
  drafts: Drafts,
  draft: Draft,
  method: ts.MethodDeclaration,
  { tool, comment }: { readonly tool: string; readonly comment: MethodComment },
): { readonly list: string; readonly before: string } {
  const { context } = drafts;
  const renamed: string[] = [];
  const isOnly = method.parameters.filter(isGiven).length === 1;
  const texts = method.parameters.flatMap((parameter) => {
    const { name, type, initializer, questionToken } = parameter;
    const [decorator] = decoratorsOf(parameter);
    if (!isGiven(parameter)) {
      captureBinding(drafts, draft, parameter, (_, text) => mentions(method.body, text));
      return [];
    }
    if (decorator?.name === "Header")
      leaveOpen(context, parameter, "a header becomes a field", "use the caller's authorisation if it is a secret");
    const [own, given] = [name.getText(), staticText(context, decorator?.values[0]) ?? name.getText()];
    const isWord = /^[A-Za-z_$][\w$]*$/.test(given);
    if (isWord && given !== own) renamed.push(`  const ${own} = ${given};\n`);
    if (!isWord && decorator?.name !== "Header")
      leaveOpen(context, parameter, `\`${given}\` cannot name a parameter`, `the field is \`${own}\` now`);
    const source = parameter.getSourceFile();
    const value =
      initializer &&
      editedText(source, initializer.getStart(), initializer.end, [...carryNeeds(drafts, draft, initializer, method)]);
    // If there is only one parameter, it is the request itself, so its type gets a URN.
    const text =
      type &&
      (isOnly
        ? textWithUrn(drafts, draft, type, { within: method, tool, kind: "request" })
        : copiedType(drafts, draft, type, method));
    const typed = text === undefined ? "" : `: ${text}`;
    const shown = `${isWord ? given : own}${questionToken ? "?" : ""}${typed}${value === undefined ? "" : ` = ${value}`}`;
    return [`${comment.ofParameter(own)}${shown}`];
  });
  const isLong = texts.some((text) => text.includes("\n")) || texts.join(", ").length > 80;
  return {
    list: isLong ? `\n${indented(texts.map((text) => `${text},\n`).join(""))}` : texts.join(", "),
    before: renamed.join(""),
  };
}
