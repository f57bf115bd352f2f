import { ts } from "ts-morph";
import { isFormValue } from "../../model/form-value.ts";
import type { AskModel } from "../../model/ask.ts";
import type { ObjectType } from "../../model/type.ts";
import { otherKeys } from "../types/model-text.ts";
import { placeOf, report, UnresolvedInLean } from "../base/reading.ts";
import type { Reading } from "../base/reading.ts";
import { tenonName, tenonSymbol } from "../base/tenon-symbols.ts";
import { isError } from "../types/check-names.ts";
import { objectOf } from "../types/make-union.ts";
import { createTypeContext, finishTypes } from "../types/read-type.ts";
import { usedDefinitions } from "../types/used-definitions.ts";

/**
 * Reads all calls `job.ask<T>(…)` of a module, with the form of each; a `T` that does not fit a form is a diagnostic.
 */
export function readAsks(reading: Reading): readonly AskModel[] {
  if (!/\.ask\s*</.test(reading.file.text)) return [];
  const found: AskModel[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const ask = readAsk(reading, node);
      if (ask !== undefined) found.push(ask);
    }
    ts.forEachChild(node, visit);
  };
  visit(reading.file);
  return found;
}

function readAsk(reading: Reading, call: ts.CallExpression): AskModel | undefined {
  const { expression } = call;
  const [typeNode] = call.typeArguments ?? [];
  const last = call.arguments.at(-1);
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "ask") return undefined;
  if (typeNode === undefined || last === undefined || call.arguments.length > 2) return undefined;
  if (!isJob(reading, expression.expression)) return undefined;
  const context = createTypeContext(reading, false);
  const place = placeOf(typeNode);
  const before = reading.diagnostics.length;
  const type = context.read(reading.checker.getTypeFromTypeNode(typeNode), typeNode, {
    place,
    subject: "The answer",
    nodes: [typeNode],
    hint: "Answer",
  });
  finishTypes(context);
  if (reading.diagnostics.length > before) return undefined;
  const definitions = usedDefinitions([type], context.definitions);
  const object = objectOf(type, context.definitions);
  const form: ObjectType = object ?? { kind: "object", fields: [{ key: "answer", type }] };
  const stray = form.fields.find((field) => !isFormValue(field.type, definitions));
  if (stray !== undefined || otherKeys(form).length > 0 || form.fields.length === 0) {
    const what = stray === undefined || object === undefined ? "The answer" : `Field \`${stray.key}\` of the answer`;
    report(reading, {
      code: "TN120",
      place,
      message: `${what} cannot be asked for in a form.`,
      fix: "use text, numbers, booleans, unions of texts and lists of such, in one flat object or alone",
    });
    return undefined;
  }
  return {
    offset: last.getEnd(),
    ...(call.arguments.length === 2 ? { hasOptions: true } : {}),
    type: form,
    ...(object === undefined ? { single: true } : {}),
    definitions,
  };
}

/** True for a `JobContext`; decided by its declaration if possible, because the lean program knows no more. */
function isJob(reading: Reading, expression: ts.Expression): boolean {
  const { checker } = reading;
  if (ts.isIdentifier(expression)) {
    const declaration = checker.getSymbolAtLocation(expression)?.valueDeclaration;
    const node = declaration !== undefined && ts.isParameter(declaration) ? declaration.type : undefined;
    if (node !== undefined && ts.isTypeReferenceNode(node) && tenonName(reading, node.typeName) === "JobContext")
      return true;
  }
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression));
  if (isError(type) && reading.canRetry) throw new UnresolvedInLean();
  return tenonSymbol(reading, type.getSymbol()) === "JobContext";
}
