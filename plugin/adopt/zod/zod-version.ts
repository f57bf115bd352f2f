import { dirname, join } from "node:path";
import type { ts } from "ts-morph";
import { readText } from "../../read/base/read-text.ts";
import type { Shape } from "../base/shape.ts";

/**
 * True if the project uses zod 3, in which a record need not contain all keys of its enum, and an optional value has no
 * default.
 */
export function isOfZod3(call: ts.CallExpression): boolean {
  return zodMajor(call.getSourceFile().fileName) === 3;
}

/** Applies `optional` to a shape. In zod 3, a value that is left out stays so, whatever the default inside. */
export function madeOptional(shape: Shape, call: ts.CallExpression): Shape {
  const { fallback: _, ...rest } = shape;
  return { ...(isOfZod3(call) ? rest : shape), optional: true };
}

/** Major version of zod in the nearest package.json that names it; 4 if none does. */
function zodMajor(file: string): number {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const [, range = ""] = /"zod":\s*"([^"]*)"/.exec(readText(join(folder, "package.json")) ?? "") ?? [];
    const [major] = /\d+/.exec(range) ?? [];
    if (major !== undefined) return Number(major);
    if (dirname(folder) === folder) return 4;
  }
}
