import { ts } from "ts-morph";
import { follow, type Followed, memberOf, unbound } from "../base/follow.ts";
import { staticText } from "../base/static-value.ts";
import type { Drafts } from "../code/drafts.ts";
import { honoLibrary } from "../code/hono-library.ts";
import { addRoute, commentBefore, type FoundRoute } from "./routes.ts";

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

/**
 * Validator targets of Hono, each with the part of the request that it means. Headers and cookies are missing, since
 * callers of a tool do not send them.
 */
const partNames: { readonly [name: string]: "params" | "query" | "body" } = {
  param: "params",
  query: "query",
  json: "body",
  form: "body",
};

/** Reads `app.get(path, zValidator("json", schema), handler)`, and routes of zod-openapi. */
export function readHono(file: ts.SourceFile, drafts: Drafts): void {
  if (!/hono/i.test(file.text)) return;
  const visit = (node: ts.Node): void => {
    // In a chain of calls, the first route is the innermost node, so children are visited first.
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { text } = node.expression.name;
    if (methods.has(text)) readRoute(node, text, file, drafts);
    else if (text === "openapi") readOpenApi(node, file, drafts);
  };
  visit(file);
}

function readRoute(call: ts.CallExpression, method: string, file: ts.SourceFile, drafts: Drafts): void {
  const { context } = drafts;
  const [first, ...rest] = call.arguments;
  const path = staticText(context, first);
  const validators = rest.filter(isValidator);
  const handler = rest.at(-1);
  if (path === undefined || validators.length === 0 || handler === undefined || isValidator(handler)) return;
  const parts: { [part in "params" | "query" | "body"]?: Followed } = {};
  for (const validator of validators) {
    const [name, schema] = validator.arguments;
    const part = partNames[staticText(context, name) ?? ""];
    if (part !== undefined && schema !== undefined) parts[part] = { node: schema, bound: unbound };
  }
  addRoute(drafts, file, {
    node: call,
    source: "hono",
    method,
    path,
    name: ts.isIdentifier(handler) ? handler.text : undefined,
    description: commentBefore(call),
    ...parts,
    handler,
    library: honoLibrary(context),
  });
}

function isValidator(node: ts.Expression): node is ts.CallExpression {
  return ts.isCallExpression(node) && /^(?:zValidator|validator|zodValidator)$/i.test(node.expression.getText());
}

/** Reads `app.openapi(createRoute({ method, path, request, responses }), handler)`. */
function readOpenApi(call: ts.CallExpression, file: ts.SourceFile, drafts: Drafts): void {
  const { context } = drafts;
  const [first, handler] = call.arguments;
  const made = first && follow(context, { node: first, bound: unbound }).node;
  const config = made !== undefined && ts.isCallExpression(made) ? made.arguments[0] : undefined;
  if (config === undefined || handler === undefined) return;
  const route = follow(context, { node: config, bound: unbound });
  const at = (from: Followed | undefined, ...keys: readonly string[]): Followed | undefined =>
    keys.reduce<Followed | undefined>((found, key) => found && memberOf(context, follow(context, found), key), from);
  const text = (key: string): string | undefined => {
    const found = at(route, key);
    return found && staticText(context, found.node, found.bound);
  };
  const [method, path] = [text("method"), text("path")];
  if (method === undefined || path === undefined) return;
  const json = (from: Followed | undefined): Followed | undefined =>
    at(from, "content", "application/json", "schema") ?? at(from, "content", "multipart/form-data", "schema");
  const found: FoundRoute = {
    node: call,
    source: "hono",
    method,
    path,
    name: text("operationId") ?? (ts.isIdentifier(handler) ? handler.text : undefined),
    description: text("description") ?? text("summary"),
    params: at(route, "request", "params"),
    query: at(route, "request", "query"),
    body: json(at(route, "request", "body")),
    result: json(at(route, "responses", "200") ?? at(route, "responses", "201")),
    handler,
    library: honoLibrary(context),
  };
  addRoute(drafts, file, found);
}
