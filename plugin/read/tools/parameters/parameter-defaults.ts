import { ts } from "ts-morph";
import type { FieldModel, ObjectType, TypeModel } from "../../../model/type.ts";
import { readConstant } from "../../base/constants.ts";
import { placeOf, report } from "../../base/reading.ts";
import { accepts } from "../../constraints/accepts.ts";
import { objectOf } from "../../types/unions/make-union.ts";
import type { TypeContext } from "../../base/type-context.ts";

/**
 * Reads defaults of fields from a pattern such as `({ mode = "fast", area: { unit = "m" } = {} }: Request)`, at any
 * depth. They apply to this tool only. For a union of objects, JavaScript applies the defaults too, but the schema does
 * not show them.
 */
export function withDefaults(
  context: TypeContext,
  type: TypeModel,
  object: ObjectType,
  pattern: ts.ObjectBindingPattern,
): TypeModel {
  const elements = new Map<string, ts.BindingElement>();
  for (const element of pattern.elements) {
    const name = element.propertyName ?? element.name;
    const isPlain = ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name);
    if (isPlain && element.dotDotDotToken === undefined) elements.set(name.text, element);
  }
  const fields = object.fields.map((field): FieldModel => {
    const element = elements.get(field.key);
    return element === undefined ? field : withElement(context, field, element);
  });
  return fields.every((field, index) => field === object.fields[index]) ? type : { ...object, fields };
}

/** Inner defaults are applied first, since the field's own default may omit the fields that they fill in. */
function withElement(context: TypeContext, field: FieldModel, { name, initializer }: ts.BindingElement): FieldModel {
  const object = ts.isObjectBindingPattern(name) ? objectOf(field.type, context.definitions) : undefined;
  const type =
    object !== undefined && ts.isObjectBindingPattern(name)
      ? withDefaults(context, field.type, object, name)
      : field.type;
  const inside = type === field.type ? field : { ...field, type };
  return initializer === undefined ? inside : withDefault(context, inside, initializer);
}

/** A default that is not constant stays in the function, which applies it itself. */
export function withDefault(context: TypeContext, field: FieldModel, initializer: ts.Expression): FieldModel {
  const constant = readConstant(initializer, context.reading);
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
