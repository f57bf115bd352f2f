import { ts } from "ts-morph";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { follow, type Followed } from "../base/follow.ts";
import { staticText, staticValue } from "../base/static-value.ts";
import type { Shape } from "../base/shape.ts";

/** Applies `describe(text)`, `meta({ description, title, examples, deprecated })`, or `openapi(…)` of zod-openapi. */
export function applyMeta(context: AdoptContext, shape: Shape, method: string, first: Followed | undefined): Shape {
  if (first === undefined) return shape;
  if (method === "describe") {
    const text = staticText(context, first.node, first.bound);
    if (text !== undefined) return { ...shape, description: text };
    leaveOpen(context, first.node, "a text that is made at run time", "write it into the comment");
    return shape;
  }
  const { node, bound } = follow(context, first);
  if (!ts.isObjectLiteralExpression(node)) return shape;
  const tags: string[] = [];
  let { description } = shape;
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property)) continue;
    const value = staticValue(context, { node: property.initializer, bound })?.value;
    const key = property.name.getText();
    if (value === undefined) continue;
    if (key === "description") description = String(value);
    else if (key === "title") tags.push(`@title ${String(value)}`);
    else if (key === "deprecated" && value === true) tags.push("@deprecated");
    else if (key === "example") tags.push(`@example ${JSON.stringify(value)}`);
    else if (key === "examples" && Array.isArray(value))
      tags.push(...value.map((one) => `@example ${JSON.stringify(one)}`));
  }
  return { ...shape, tags: [...shape.tags, ...tags], ...(description !== undefined && { description }) };
}

/** Applies `default(value)`: a constant, or a function that returns a constant. */
export function applyDefault(
  context: AdoptContext,
  shape: Shape,
  call: ts.CallExpression,
  first: Followed | undefined,
): Shape {
  const made = first !== undefined && ts.isArrowFunction(first.node) && !ts.isBlock(first.node.body);
  const given = made && first ? { ...first, node: (first.node as ts.ArrowFunction).body as ts.Expression } : first;
  const found = given && staticValue(context, given);
  if (found !== undefined) return { ...shape, optional: true, fallback: JSON.stringify(found.value) };
  leaveOpen(context, call, "a default that is made at run time", "set it in the body: `value ?? …`");
  return { ...shape, optional: true };
}
