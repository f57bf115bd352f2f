import { ts } from "ts-morph";
import { follow, type Followed, memberOf, unbound } from "../base/follow.ts";
import { staticText } from "../base/static-value.ts";
import type { Drafts } from "../code/drafts.ts";
import { fastifyLibrary } from "../code/fastify-library.ts";
import { isZod } from "../zod/read-zod.ts";
import { addRoute, commentBefore } from "./routes.ts";

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

/** Reads `app.get(path, { schema }, handler)` and `app.route({ method, url, schema, handler })` with schemas of zod. */
export function readFastify(file: ts.SourceFile, drafts: Drafts): void {
  const { context } = drafts;
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { text } = node.expression.name;
    const [first, second, third] = node.arguments;
    if (methods.has(text) && second !== undefined) {
      const path = staticText(context, first);
      const options = follow(context, { node: second, bound: unbound });
      const handler = third ?? memberOf(context, options, "handler")?.node;
      if (path !== undefined) readRoute(node, { method: text, path, options, handler }, file, drafts);
    } else if (text === "route" && first !== undefined) {
      const options = follow(context, { node: first, bound: unbound });
      const member = (key: string): Followed | undefined => memberOf(context, options, key);
      const [method, path] = ["method", "url"].map((key) => staticText(context, member(key)?.node));
      if (method !== undefined && path !== undefined)
        readRoute(
          node,
          { method: method.toLowerCase(), path, options, handler: member("handler")?.node },
          file,
          drafts,
        );
    }
  };
  visit(file);
}

interface GivenRoute {
  readonly method: string;
  readonly path: string;
  readonly options: Followed;
  readonly handler: ts.Node | undefined;
}

function readRoute(
  call: ts.CallExpression,
  { method, path, options, handler }: GivenRoute,
  file: ts.SourceFile,
  drafts: Drafts,
): void {
  const { context } = drafts;
  const given = memberOf(context, options, "schema");
  const schema = given && follow(context, given);
  if (schema === undefined || !ts.isObjectLiteralExpression(schema.node)) return;
  const part = (key: string): Followed | undefined => {
    const found = memberOf(context, schema, key);
    return found !== undefined && isZod(context, found) ? found : undefined;
  };
  const response = memberOf(context, schema, "response");
  const result = response && follow(context, response);
  const answers = ["200", "201"].map((status) => result && memberOf(context, result, status));
  const text = (key: string): string | undefined => {
    const found = memberOf(context, schema, key);
    return found && staticText(context, found.node, found.bound);
  };
  const parts = { params: part("params"), query: part("querystring"), body: part("body") };
  const isTyped = Object.values(parts).some((one) => one !== undefined) || file.text.includes("ZodTypeProvider");
  if (!isTyped) return;
  addRoute(drafts, file, {
    node: call,
    source: "fastify",
    method,
    path,
    name: text("operationId") ?? (handler !== undefined && ts.isIdentifier(handler) ? handler.text : undefined),
    description: text("description") ?? text("summary") ?? commentBefore(call),
    ...parts,
    result: answers.find((one) => one !== undefined && isZod(context, one)),
    handler,
    library: fastifyLibrary(context),
  });
}
