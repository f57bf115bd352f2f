import { ts } from "ts-morph";
import type { JsonLiteral } from "../../model/type.ts";
import { escapeRegex } from "../../model/escape-regex.ts";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { follow, unbound } from "../base/follow.ts";
import type { Shape } from "../base/shape.ts";

/** Methods that narrow a value, each with the tag for a number, or with the kind of the tag. */
export const bounds: { readonly [method: string]: string | null } = {
  min: null,
  max: null,
  gte: null,
  lte: null,
  minLength: null,
  maxLength: null,
  length: null,
  size: null,
  startsWith: null,
  endsWith: null,
  includes: null,
  gt: "@exclusiveMinimum",
  lt: "@exclusiveMaximum",
  positive: "@exclusiveMinimum 0",
  negative: "@exclusiveMaximum 0",
  nonnegative: "@minimum 0",
  nonpositive: "@maximum 0",
  int: "@type integer",
  multipleOf: "@multipleOf",
  step: "@multipleOf",
  nonempty: "",
  regex: "",
};

/** Adds the tags for `schema.method(value)`. */
export function applyBound(
  context: AdoptContext,
  shape: Shape,
  method: string,
  call: ts.CallExpression,
  value: JsonLiteral | undefined,
): Shape {
  const add = (...tags: readonly string[]): Shape => ({ ...shape, tags: [...shape.tags, ...tags] });
  const named = bounds[method];
  if (method === "regex") return patterned(context, shape, call);
  if (method === "nonempty") return add(`@${lengthTag(shape, "min")} 1`);
  if (named) return add(named.includes(" ") ? named : `${named} ${value}`);
  switch (method) {
    case "startsWith":
      return add(`@pattern ^${escapeRegex(String(value))}`);
    case "endsWith":
      return add(`@pattern ${escapeRegex(String(value))}$`);
    case "includes":
      return add(`@pattern ${escapeRegex(String(value))}`);
    case "length":
    case "size":
      return add(`@${lengthTag(shape, "min")} ${value}`, `@${lengthTag(shape, "max")} ${value}`);
    default: {
      const side = method.startsWith("min") || method === "gte" ? "min" : "max";
      if (!isDate(shape)) return add(`@${lengthTag(shape, side)} ${value}`);
      leaveOpen(context, call, "a bound of a date", "check it in the body");
      return shape;
    }
  }
}

function isDate({ core }: Shape): boolean {
  return core.kind === "text" && core.base === "date";
}

/** Returns the tag for a lower or an upper bound of a number, a text or a list. */
function lengthTag({ core }: Shape, side: "min" | "max"): string {
  if (core.kind === "list" || core.kind === "tuple" || core.kind === "generic") return `${side}Items`;
  const isNumber = core.kind === "text" && (core.base === "number" || core.base === "bigint");
  return isNumber ? `${side}imum` : `${side}Length`;
}

/** Adds a regular expression, in the form that the flag `u` accepts. */
function patterned(context: AdoptContext, shape: Shape, call: ts.CallExpression): Shape {
  const [argument] = call.arguments;
  const found = argument && follow(context, { node: argument, bound: unbound }).node;
  const text = found !== undefined && ts.isRegularExpressionLiteral(found) ? found.text : "";
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  const pattern = unicodePattern(source);
  if (source === "" || pattern === undefined || /[ims]/.test(flags)) {
    const advice = "write the pattern without flags as `@pattern`, or check it in the body";
    leaveOpen(context, call, "a pattern that is made at run time, or whose flags change its meaning", advice);
    return shape;
  }
  return { ...shape, tags: [...shape.tags, `@pattern ${pattern}`] };
}

/** Removes escapes that the flag `u` refuses; undefined if it refuses the rest as well. */
function unicodePattern(source: string): string | undefined {
  for (const pattern of [source, source.replaceAll(/\\([^\w\s^$\\.*+?()[\]{}|/])/g, "$1")]) {
    try {
      void new RegExp(pattern, "u");
      return pattern;
    } catch {
      continue;
    }
  }
  return undefined;
}
