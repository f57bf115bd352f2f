import { ts } from "ts-morph";
import type { FieldModel, ObjectType, TypeModel } from "../model/type.ts";
import { readConstant } from "./constants.ts";
import { placeOf, report } from "./reading.ts";
import { accepts } from "./types/accepts.ts";
import type { TypeContext } from "./types/type-context.ts";

/** `({ mode = "fast" }: Request)` gives the field a default, in this tool only. */
export function withDefaults(
  context: TypeContext,
  type: TypeModel,
  object: ObjectType,
  pattern: ts.ObjectBindingPattern,
): TypeModel {
  const values = new Map<string, ts.Expression>();
  for (const element of pattern.elements) {
    const name = element.propertyName ?? element.name;
    if (element.initializer !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)))
      values.set(name.text, element.initializer);
  }
  if (values.size === 0) return type;
  const fields = object.fields.map((field): FieldModel => {
    const value = values.get(field.key);
    return value === undefined ? field : withDefault(context, field, value);
  });
  return { ...object, fields };
}

/** A default that is no constant stays with the function, which fills it in itself. */
export function withDefault(context: TypeContext, field: FieldModel, initializer: ts.Expression): FieldModel {
  const constant = readConstant(initializer, context.reading.checker);
  if (!constant.ok || constant.value === undefined || field.default !== undefined) return { ...field, optional: true };
  if (accepts(field.type, constant.value, context.definitions))
    return { ...field, optional: true, default: constant.value };
  report(context.reading, {
    code: "TN312",
    place: placeOf(initializer),
    message: `The default of \`${field.key}\` does not fit its type.`,
    fix: "change the default, or the type",
  });
  return { ...field, optional: true };
}
