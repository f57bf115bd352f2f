import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { follow, type Followed, keyOf, memberOf, unbound } from "../base/follow.ts";
import { staticText } from "../base/static-value.ts";
import type { Drafts } from "../code/drafts.ts";
import { isZod } from "../zod/read-zod.ts";
import { addFoundTool, textMember } from "./found-tool.ts";

/** Reads `server.registerTool(name, config, handler)` and `server.tool(name, …, handler)` of the MCP SDK. */
export function readMcpSdk(file: ts.SourceFile, drafts: Drafts): void {
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name.text;
      if (method === "registerTool" && node.arguments.length >= 2) readRegistration(node, file, drafts);
      else if (method === "tool" && node.arguments.length >= 2 && isHandler(node.arguments.at(-1)))
        readShortForm(node, file, drafts);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

function isHandler(node: ts.Expression | undefined): boolean {
  return node !== undefined && !ts.isObjectLiteralExpression(node) && !ts.isStringLiteralLike(node);
}

function readRegistration(call: ts.CallExpression, file: ts.SourceFile, drafts: Drafts): void {
  const { context } = drafts;
  const [first, second, handler] = call.arguments;
  const name = staticText(context, first);
  const config = second && follow(context, { node: second, bound: unbound });
  if (name === undefined || config === undefined || !ts.isObjectLiteralExpression(config.node)) {
    leaveOpen(context, call, "a tool whose name or form is known only at run time", "write it by hand");
    return;
  }
  context.tool = name;
  const member = (key: string): Followed | undefined => memberOf(context, config, key);
  addFoundTool(drafts, file, {
    node: call,
    source: "mcp-sdk",
    name,
    title: textMember(drafts, member("title")),
    description: textMember(drafts, member("description")),
    annotations: member("annotations"),
    input: member("inputSchema"),
    output: member("outputSchema"),
    handler: handler && { node: handler, bound: unbound },
  });
}

const annotationKeys = /^(?:title|\w+Hint)$/;

/** Reads the short form. Optional arguments between name and handler: a description, the schema, annotations. */
function readShortForm(call: ts.CallExpression, file: ts.SourceFile, drafts: Drafts): void {
  const { context } = drafts;
  const [first, ...rest] = call.arguments;
  const name = staticText(context, first);
  if (name === undefined) {
    if (isOfMcp(file)) leaveOpen(context, call, "a tool whose name is known only at run time", "write it by hand");
    return;
  }
  const handler = rest.at(-1);
  const parts: { description?: string | undefined; annotations?: Followed; input?: Followed } = {};
  for (const node of rest.slice(0, -1)) {
    const given = { node, bound: unbound };
    const text = staticText(context, node);
    const { node: value } = follow(context, given);
    if (text !== undefined) parts.description = text;
    else if (isAnnotations(value)) parts.annotations = given;
    else if (ts.isObjectLiteralExpression(value) || isZod(context, given)) parts.input = given;
    else parts.description = textMember(drafts, given);
  }
  const own = handler && { node: handler, bound: unbound };
  addFoundTool(drafts, file, { node: call, source: "mcp-sdk", name, ...parts, handler: own });
}

function isAnnotations(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node) || node.properties.length === 0) return false;
  return node.properties.every(
    (property) =>
      annotationKeys.test(keyOf(property) ?? "") &&
      ts.isPropertyAssignment(property) &&
      !ts.isCallExpression(property.initializer),
  );
}

function isOfMcp(file: ts.SourceFile): boolean {
  return file.text.includes("@modelcontextprotocol/");
}
