import { ts } from "ts-morph";
import type { FieldModel } from "../../model/type.ts";
import { readConstant } from "../base/constants.ts";
import { isOwnFile, placeOf, report } from "../base/reading.ts";
import { accepts } from "./accepts.ts";
import type { Site, TypeContext } from "../base/type-context.ts";

/**
 * Makes the initialiser of a class field the field's default. An initialiser that is not constant is reported, since no
 * constructor runs when a request is decoded to such an object.
 */
export function withInitializer(
  context: TypeContext,
  field: FieldModel,
  declaration: ts.Declaration,
  site: Site,
): FieldModel {
  const { reading } = context;
  const isField = ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration);
  const initializer = isField ? declaration.initializer : undefined;
  if (initializer === undefined || field.default !== undefined) return field;
  const constant = readConstant(initializer, reading);
  const place = isOwnFile(reading, declaration.getSourceFile()) ? placeOf(initializer) : site.place;
  if (!constant.ok) {
    report(reading, {
      code: "TN318",
      place,
      message: `The initialiser of field \`${field.key}\` does not run, since callers send plain objects.`,
      fix: "write a constant, or `@default` with the value as JSON, or let the tool fill it in and make the field optional",
    });
    return field;
  }
  const { value } = constant;
  if (value === undefined) return field;
  if (accepts(field.type, value, context.definitions)) return { ...field, optional: true, default: value };
  report(reading, {
    code: "TN312",
    place,
    message: `The default \`${JSON.stringify(value)}\` does not fit field \`${field.key}\`.`,
    fix: `write a value of the field's type, or \`${field.key}!\` without one if callers must send it`,
  });
  return field;
}
