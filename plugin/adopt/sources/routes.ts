import { basename } from "node:path";
import { ts } from "ts-morph";
import type { AdoptedSource } from "../../model/adopted.ts";
import { leaveOpen } from "../base/context.ts";
import type { Followed } from "../base/follow.ts";
import { fieldsOf, type Shape, shapeOf, textShape } from "../base/shape.ts";
import type { Drafts } from "../code/drafts.ts";
import { type RequestParts, type RouteLibrary, routeBody } from "../code/route-handler.ts";
import { openZod, readSchemaOrFields } from "../zod/read-zod.ts";
import { modelOf, startTool, unknownBody, writeTool } from "./found-tool.ts";

/** A route of a server, with the schemas of the parts of its requests. */
export interface FoundRoute {
  readonly node: ts.Node;
  readonly source: AdoptedSource;
  readonly method: string;
  readonly path: string;
  /** Name of the handler or the operation; default: derived from method and path. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[];
  readonly params?: Followed | undefined;
  readonly query?: Followed | undefined;
  readonly body?: Followed | undefined;
  readonly result?: Followed | undefined;
  readonly handler?: ts.Node | undefined;
  readonly library: RouteLibrary;
}

/** Adds the tool for a route. Its request has the fields of the path, of the query and of the body. */
export function addRoute(drafts: Drafts, file: ts.SourceFile, route: FoundRoute): void {
  const { context } = drafts;
  const draft = drafts.of(file.fileName);
  const name = startTool(drafts, route.node, route.name ?? routeName(route));
  const zod = openZod(context);
  const read = (part: Followed | undefined): Shape | undefined => part && readSchemaOrFields(zod, part);
  const [params, query, body] = [read(route.params), read(route.query), read(route.body)];
  const fields = new Map<string, Shape>(pathNames(route.path).map((key) => [key, textShape("string", "string")]));
  const bodyFields = body && fieldsOf(body);
  for (const part of [bodyFields, query && fieldsOf(query), params && fieldsOf(params)])
    for (const [key, field] of part ?? []) {
      if (fields.has(key) && part !== undefined && !pathNames(route.path).includes(key))
        leaveOpen(context, route.node, `\`${key}\` is in two parts of the request`, "give one of them another name");
      fields.set(key, field);
    }
  // If the body is not an object, the request gets a field `body` for it.
  if (body !== undefined && bodyFields === undefined) fields.set("body", body);
  const parts: RequestParts = {
    params: [...new Set([...pathNames(route.path), ...((params && fieldsOf(params)) ?? new Map()).keys()])],
    query: [...((query && fieldsOf(query)) ?? new Map<string, Shape>()).keys()],
    body: body === undefined ? [] : bodyFields === undefined ? "body" : [...bodyFields.keys()],
    fields,
  };
  const output = read(route.result);
  const result =
    output && (fieldsOf(output) ? modelOf(drafts, draft, output, { name }, "result") : drafts.text(draft, output));
  const made =
    route.handler === undefined
      ? { ...unknownBody(drafts, route.node), parameter: "_input", result: result ?? "unknown" }
      : routeBody(drafts, draft, { handler: route.handler, parts, library: route.library, result });
  // Made after the body: the handler may read fields that no schema contains.
  const request = (isWhole(parts) ? body : undefined) ?? shapeOf({ kind: "object", fields });
  const { node } = route;
  const shown = `${route.method.toUpperCase()} ${route.path}`;
  const described = route.description ?? `${shown}.`;
  if (route.description === undefined)
    leaveOpen(context, route.node, "the route has no text", "write a sentence that says what it does");
  writeTool(drafts, draft, { node, source: route.source, name, description: described, route: shown }, request, made, [
    ...(route.method === "get" ? ["@readonly"] : []),
    ...(route.tags ?? []),
  ]);
}

/** True if all fields come from the body, so that the body's own type can be the type of the request. */
function isWhole({ params, query, body, fields }: RequestParts): boolean {
  return params.length === 0 && query.length === 0 && Array.isArray(body) && fields.size === body.length;
}

/** Lists the names of the parameters in a path such as `/users/:id` or `/users/{id}`. */
function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/(?::|\{)(\w+)/g)].map(([, name = ""]) => name);
}

/**
 * Makes a name such as `getUsersById` for `GET /users/:id`. If the path contains no word, the name of the file is used.
 */
function routeName({ method, path, node }: FoundRoute): string {
  const names = pathNames(path).map((name) => `By${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  const own = path.replaceAll(/\{\w+[^}]*\}|:\w+(?:\{[^}]*\})?/g, "").match(/[A-Za-z\d]+/g);
  const words =
    own ??
    basename(node.getSourceFile().fileName)
      .replace(/(?:[.-]?routes?)?\.[^.]+$/i, "")
      .split(/[^A-Za-z\d]+/);
  const rest = [...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)), ...names].join("");
  return `${method}${rest === "" ? "Root" : rest}`;
}

/** Returns the text of the comment before a statement, or before a call in a chain. */
export function commentBefore(call: ts.CallExpression): string | undefined {
  const source = call.getSourceFile();
  const statement = ts.findAncestor(call, ts.isStatement);
  const chained = ts.isPropertyAccessExpression(call.expression) ? call.expression.expression.end : undefined;
  const own = statement !== undefined && ts.isExpressionStatement(statement) ? statement.pos : undefined;
  const [ranges = []] = [chained, own].flatMap((at) => {
    const found = at === undefined ? undefined : ts.getLeadingCommentRanges(source.text, at);
    return found === undefined ? [] : [found];
  });
  const text = ranges
    .slice(-1)
    .map(({ pos, end }) => source.text.slice(pos, end))
    .join("")
    .replaceAll(/^\/\*+|\*+\/$|^\s*\*+ ?|^\/\/+ ?/gm, "")
    .replaceAll(/^\s*@.*$/gm, "")
    .trim();
  return /\p{L}/u.test(text) ? text : undefined;
}
