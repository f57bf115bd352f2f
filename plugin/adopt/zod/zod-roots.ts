import { ts } from "ts-morph";
import type { JsonLiteral } from "../../model/type.ts";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { type Bindings, declarationOf, follow, type Followed } from "../base/follow.ts";
import { enumEntries, staticValue } from "../base/static-value.ts";
import { maskFields, readFields, readObject } from "./zod-objects.ts";
import type { ZodReading } from "./zod-reading.ts";
import { nullable, type Shape, shapeOf, textShape, unionOf, unnamed } from "../base/shape.ts";
import { checkedFormat, stringFormats } from "./string-formats.ts";
import { isOfZod3, madeOptional } from "./zod-version.ts";

/** Functions of zod without arguments, each with its shape. */
const scalars: { readonly [name: string]: Shape } = {
  string: textShape("string", "string"),
  number: textShape("number", "number"),
  float64: textShape("number", "number"),
  bigint: textShape("bigint", "bigint"),
  boolean: textShape("boolean"),
  date: textShape("Date", "date"),
  any: textShape("unknown"),
  unknown: textShape("unknown"),
  json: textShape("unknown"),
  null: textShape("null"),
  undefined: { ...textShape("undefined"), optional: true },
  void: { ...textShape("undefined"), optional: true },
  never: textShape("never"),
  int: { ...textShape("number", "number"), tags: ["@type integer"] },
  int32: { ...textShape("number", "number"), tags: ["@type int32"] },
  uint32: { ...textShape("number", "number"), tags: ["@type uint32"] },
  float32: { ...textShape("number", "number"), tags: ["@type float"] },
};

/** Reads a call `z.name(…)`. */
export function readRoot(reading: ZodReading, name: string, call: ts.CallExpression, bound: Bindings): Shape {
  const { context, read } = reading;
  const given = (index: number): Followed | undefined => {
    const node = call.arguments[index];
    return node === undefined ? undefined : { node, bound };
  };
  const part = (index: number): Shape => {
    const one = given(index);
    return one === undefined ? textShape("unknown") : read(one);
  };
  const scalar = Object.hasOwn(scalars, name) ? scalars[name] : undefined;
  // In zod 3, fields of type `any` and `unknown` are optional.
  if ((name === "any" || name === "unknown") && isOfZod3(call)) return { ...textShape("unknown"), optional: true };
  if (scalar !== undefined) return scalar;
  if (name.startsWith("coerce.")) {
    leaveOpen(context, call, "values of other types are converted", "callers send this type, or convert in the body");
    return scalars[name.slice("coerce.".length)] ?? textShape("unknown");
  }
  if (Object.hasOwn(stringFormats, name)) return checkedFormat(context, name, call, textShape("string", "string"));
  switch (name) {
    case "object":
    case "interface":
      return call.arguments.length === 0 ? shapeOf({ kind: "object", fields: new Map() }) : objectOf(reading, given(0));
    case "strictObject":
      leaveOpen(context, call, "unknown keys are refused", "tenon ignores unknown keys; nothing needs to be written");
      return objectOf(reading, given(0));
    case "looseObject": {
      const fields = readFields(reading, given(0) as Followed);
      return shapeOf({ kind: "object", fields, index: textShape("unknown") });
    }
    case "array":
      return shapeOf({ kind: "list", item: part(0) });
    case "set":
      return shapeOf({ kind: "generic", name: "Set", of: [part(0)] });
    case "map":
      return shapeOf({ kind: "generic", name: "Map", of: [part(0), part(1)] });
    case "record":
    case "partialRecord":
    case "looseRecord":
      return recordOf(reading, given(0), given(1), name === "partialRecord" || isOfZod3(call));
    case "tuple":
      return shapeOf({ kind: "tuple", items: listOf(reading, given(0)), ...(given(1) && { rest: part(1) }) });
    case "union":
    case "xor":
      return unionOf(listOf(reading, given(0)));
    case "discriminatedUnion":
      return unionOf(listOf(reading, given(1)));
    case "intersection":
      return shapeOf({ kind: "both", members: [part(0), part(1)] });
    case "literal":
    case "enum":
    case "nativeEnum":
      return choiceOf(reading, call, given(0));
    case "optional":
      return madeOptional(part(0), call);
    case "nullable":
      return nullable(part(0));
    case "nullish":
      return madeOptional(nullable(part(0)), call);
    case "partial":
    case "readonly":
      return name === "partial" ? maskFields(reading, part(0), "partial", call, undefined) : part(0);
    case "lazy":
      return lazyOf(reading, call, given(0));
    case "preprocess":
      leaveOpen(context, call, "values are changed before the check", "callers send this type, or convert in the body");
      return part(1);
    default: {
      const reason = `\`z.${name}\` is code, or has no type in tenon`;
      leaveOpen(context, call, reason, "write the type instead of `unknown`, and the check in the body");
      return textShape("unknown");
    }
  }
}

function objectOf(reading: ZodReading, given: Followed | undefined): Shape {
  return given === undefined ? textShape("unknown") : readObject(reading, given);
}

/** Reads the schemas in a list. */
function listOf(reading: ZodReading, given: Followed | undefined): readonly Shape[] {
  if (given === undefined) return [];
  const { node, bound } = follow(reading.context, given);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.flatMap((element) =>
      ts.isSpreadElement(element)
        ? listOf(reading, { node: element.expression, bound })
        : [reading.read({ node: element, bound })],
    );
  leaveOpen(reading.context, node, "a list of schemas that is made at run time", "write the members of the union");
  return [textShape("unknown")];
}

function recordOf(
  reading: ZodReading,
  first: Followed | undefined,
  second: Followed | undefined,
  mayMiss: boolean,
): Shape {
  const key = second === undefined || first === undefined ? textShape("string") : reading.read(first);
  const value = second ?? first;
  // Constraints of the keys are dropped, since there is no tag for them.
  const keys = key.core.kind === "text" && key.core.text === "string" ? { ...key, tags: [] } : key;
  const { core } = unnamed(keys);
  const isPartial = mayMiss && !(core.kind === "text" && core.base === "string");
  const of = [keys, value === undefined ? textShape("unknown") : reading.read(value)];
  const record = shapeOf({ kind: "generic", name: "Record", of });
  return isPartial ? shapeOf({ kind: "generic", name: "Partial", of: [record] }) : record;
}

/** Reads `z.literal` and `z.enum`, also with an enum of TypeScript. */
function choiceOf({ context }: ZodReading, call: ts.CallExpression, given: Followed | undefined): Shape {
  const value = given && (staticValue(context, given)?.value ?? enumValues(context, given));
  const values = Array.isArray(value)
    ? value
    : value !== null && typeof value === "object"
      ? Object.values(value)
      : [value];
  if (given === undefined || values.includes(undefined)) {
    leaveOpen(context, call, "values that are known only at run time", 'write the type, such as `"a" | "b"`');
    return textShape("string", "string");
  }
  return textShape([...new Set((values as JsonLiteral[]).map((one) => JSON.stringify(one)))].join(" | "));
}

function enumValues(context: AdoptContext, { node }: Followed): JsonLiteral | undefined {
  const declaration = ts.isIdentifier(node) ? declarationOf(context, node) : undefined;
  if (declaration === undefined || !ts.isEnumDeclaration(declaration)) return undefined;
  const entries = enumEntries(context, declaration);
  return entries && [...entries.values()];
}

function lazyOf(reading: ZodReading, call: ts.CallExpression, given: Followed | undefined): Shape {
  const body = given !== undefined && ts.isArrowFunction(given.node) ? given.node.body : undefined;
  if (body !== undefined && !ts.isBlock(body)) return reading.read({ node: body, bound: (given as Followed).bound });
  leaveOpen(reading.context, call, "a schema that a function makes", "write its type instead of `unknown`");
  return textShape("unknown");
}
