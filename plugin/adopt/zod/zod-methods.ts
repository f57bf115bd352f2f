import type { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import type { Bindings, Followed } from "../base/follow.ts";
import { staticValue } from "../base/static-value.ts";
import { applyBound, bounds } from "./bounds.ts";
import { applyDefault, applyMeta } from "./zod-texts.ts";
import { extendFields, keysOf, maskFields } from "./zod-objects.ts";
import type { ZodReading } from "./zod-reading.ts";
import { nullable, type Shape, shapeOf, textShape, unionOf, unnamed } from "../base/shape.ts";
import { checkedFormat, stringFormats } from "./string-formats.ts";
import { madeOptional } from "./zod-version.ts";

/** Methods without effect on the accepted values and their texts. */
const neutral: ReadonlySet<string> = new Set("brand readonly strip finite register clone safe nonstrict".split(" "));

/**
 * Methods that a type cannot express, such as those with code of the author; each with the reason and what to write
 * instead.
 */
const code: { readonly [name: string]: readonly [string, string] } = {
  ...Object.fromEntries(
    ["refine", "superRefine", "check"].map((name) => [
      name,
      ["a check by code", "write it in the body: `if (…) throw new ValueError(…)`"],
    ]),
  ),
  ...Object.fromEntries(
    ["transform", "pipe", "overwrite", "codec"].map((name) => [
      name,
      ["the value is changed after the check", "change it at the beginning of the body"],
    ]),
  ),
  ...Object.fromEntries(
    ["trim", "toLowerCase", "toUpperCase", "normalize"].map((name) => [
      name,
      ["the text is changed after the check", `call \`.${name}()\` in the body`],
    ]),
  ),
  catch: ["a wrong value is replaced", "callers get an error; or make the type wider, and replace it in the body"],
  strict: ["unknown keys are refused", "tenon ignores unknown keys; nothing needs to be written"],
};

/** Reads `schema.method(…)`. */
export function applyMethod(
  reading: ZodReading,
  from: Followed,
  method: string,
  call: ts.CallExpression,
  bound: Bindings,
): Shape {
  const { context } = reading;
  const [argument] = call.arguments;
  const first = argument === undefined ? undefined : { node: argument, bound };
  const shape = reading.read(from);
  if (Object.hasOwn(code, method)) {
    const [reason = "", advice = ""] = code[method] ?? [];
    leaveOpen(context, call, reason, advice);
    return shape;
  }
  if (Object.hasOwn(bounds, method)) {
    const value = first && staticValue(context, first);
    if (value !== undefined || first === undefined || typeof bounds[method] === "string")
      return applyBound(context, unnamed(shape), method, call, value?.value);
    leaveOpen(context, call, "a bound that is known only at run time", "add the tag with its value");
    return shape;
  }
  if (Object.hasOwn(stringFormats, method) || method === "date")
    return checkedFormat(context, method === "date" ? "iso.date" : method, call, unnamed(shape));
  if (neutral.has(method)) return shape;
  switch (method) {
    case "describe":
    case "meta":
    case "openapi":
      return applyMeta(context, shape, method, first);
    case "default":
    case "prefault":
      return applyDefault(context, shape, call, first);
    case "optional":
    case "exactOptional":
      return madeOptional(shape, call);
    case "nullable":
      return nullable(shape);
    case "nullish":
      return madeOptional(nullable(shape), call);
    case "nonoptional":
    case "unwrap":
    case "removeDefault": {
      const { optional: _, fallback: __, ...rest } = shape;
      return rest;
    }
    case "array":
      return shapeOf({ kind: "list", item: shape });
    case "or":
      return unionOf([shape, read(reading, first)]);
    case "and":
      return shapeOf({ kind: "both", members: [shape, read(reading, first)] });
    case "rest":
      return unnamed(shape).core.kind === "tuple"
        ? shapeOf({
            ...(unnamed(shape).core as { kind: "tuple"; items: readonly Shape[] }),
            rest: read(reading, first),
          })
        : shape;
    case "extend":
    case "safeExtend":
    case "augment":
    case "merge":
      return first === undefined ? shape : extendFields(reading, shape, first);
    case "pick":
    case "omit":
    case "partial":
    case "required":
      return maskFields(reading, shape, method, call, first);
    case "keyof":
      return keysOf(shape);
    case "passthrough":
    case "loose":
    case "catchall":
      return withIndex(shape, method === "catchall" ? read(reading, first) : textShape("unknown"));
    case "exclude":
    case "extract":
      return choices(reading, shape, method, first);
    default:
      leaveOpen(context, call, `\`.${method}()\` has no counterpart`, "look at the type, and at the body");
      return shape;
  }
}

function read(reading: ZodReading, first: Followed | undefined): Shape {
  return first === undefined ? textShape("unknown") : reading.read(first);
}

function withIndex(shape: Shape, index: Shape): Shape {
  const { core, ...rest } = unnamed(shape);
  return core.kind === "object" ? { ...rest, core: { ...core, index } } : shape;
}

/** Applies `choice.exclude(["a"])` or `choice.extract(["a"])`. */
function choices({ context }: ZodReading, shape: Shape, method: string, first: Followed | undefined): Shape {
  const { core } = unnamed(shape);
  const value = first && staticValue(context, first)?.value;
  if (core.kind !== "text" || !Array.isArray(value)) return shape;
  const named = new Set(value.map((one) => JSON.stringify(one)));
  const left = core.text.split(" | ").filter((one) => named.has(one) === (method === "extract"));
  return textShape(left.join(" | "));
}
