import type { ts } from "ts-morph";
import { isFormValue } from "../../model/form-value.ts";
import type { AskModel } from "../../model/module.ts";
import type { ObjectType } from "../../model/type.ts";
import { otherKeys } from "../types/model-text.ts";
import { placeOf, report, type Reading } from "../base/reading.ts";
import type { JobCall } from "./find-job-calls.ts";
import { objectOf } from "../types/unions/make-union.ts";
import { createTypeContext, finishTypes } from "../types/read-type.ts";
import { usedDefinitions } from "../types/used-definitions.ts";

/** Reads the calls `job.ask<T>(…)` among those of a module; a `T` that does not fit a form is a diagnostic. */
export function readAsks(reading: Reading, calls: readonly JobCall[]): readonly AskModel[] {
  return calls.flatMap(({ method, node }) => (method === "ask" ? (readAsk(reading, node) ?? []) : []));
}

function readAsk(reading: Reading, call: ts.CallExpression): AskModel | undefined {
  const [typeNode] = call.typeArguments ?? [];
  const last = call.arguments.at(-1);
  if (typeNode === undefined || last === undefined || call.arguments.length > 2) return undefined;
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
