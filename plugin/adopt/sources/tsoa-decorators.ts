import { ts } from "ts-morph";
import { type AdoptContext, leaveOpen } from "../base/context.ts";
import { unbound } from "../base/follow.ts";
import { staticText, staticValue } from "../base/static-value.ts";

/** Matches the names of decorators that define a route. */
export const verbs = /^(?:Get|Post|Put|Patch|Delete)$/;
const [statusReason, statusAdvice] = ["tenon chooses and documents the status", "throw `ValueError` for an error"];

/** Decorators that are not carried over, each with the reason and what to write instead. */
const left: { readonly [name: string]: readonly [reason: string, advice: string] } = {
  Response: [statusReason, statusAdvice],
  SuccessResponse: [statusReason, statusAdvice],
  Example: ["an example of a result has no tag", "write an example of the request, with `@example`"],
  Middlewares: ["middleware is not carried over", "use the options of the service, or write it into the body"],
  Hidden: ["a tool is never hidden", "leave it out if callers must not see it"],
  NoSecurity: ["callers are authenticated for the whole service", "use another service for what needs no caller"],
};

/** A decorator with arguments. */
export interface Decorator {
  readonly name: string;
  readonly node: ts.Decorator;
  readonly values: readonly ts.Expression[];
}

/** The decorators of a node. */
export function decoratorsOf(node: ts.Node): readonly Decorator[] {
  return (ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : []).map((one) => {
    const call = ts.isCallExpression(one.expression) ? one.expression : undefined;
    return { name: (call?.expression ?? one.expression).getText(), node: one, values: call?.arguments ?? [] };
  });
}

/** Returns the tags that replace the decorators of a method and its class. */
export function decoratorTags(
  context: AdoptContext,
  inner: readonly Decorator[],
  outer: readonly Decorator[],
): readonly string[] {
  const hasOwn = inner.some(({ name }) => name === "Security" || name === "NoSecurity");
  const scopes = new Set<string>();
  const tags: string[] = [];
  for (const one of [...inner, ...outer]) {
    const { name, node, values } = one;
    if (verbs.test(name) || name === "Route" || name === "OperationId") continue;
    if (name === "Security") {
      if (hasOwn && !inner.includes(one)) continue;
      const found = scopesOf(context, values);
      for (const scope of found) scopes.add(scope);
      if (found.length === 0)
        leaveOpen(context, node, "callers are authenticated for the whole service", "set the option `auth`");
    } else if (name === "Tags" && !tags.some((tag) => tag.startsWith("@category"))) {
      const category = staticText(context, values[0]);
      if (category !== undefined) tags.push(`@category ${category}`);
    } else if (name === "Deprecated") tags.push("@deprecated");
    else if (name !== "Tags") leaveOpen(context, node, ...(left[name] ?? noCounterpart));
  }
  return [...tags, ...(scopes.size === 0 ? [] : [`@scope ${[...scopes].join(" ")}`])];
}

const noCounterpart = ["the decorator has no counterpart", "write into the body what it does"] as const;

/** Reads the scopes of `@Security("jwt", ["admin"])` and of `@Security({ jwt: ["admin"] })`. */
function scopesOf(context: AdoptContext, values: readonly ts.Expression[]): readonly string[] {
  const found = values.map((node) => staticValue(context, { node, bound: unbound })?.value);
  const lists = found.flatMap((one) => (one !== null && typeof one === "object" ? Object.values(one) : []));
  return lists.flat().filter((one) => typeof one === "string");
}
