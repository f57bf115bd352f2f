import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { follow, type Followed, memberOf, unbound } from "../base/follow.ts";
import type { Drafts } from "../code/drafts.ts";
import { addFoundTool, textMember } from "./found-tool.ts";

/** Reads `server.addTool({ name, description, parameters, execute })` of FastMCP, and `addTools([…])`. */
export function readFastMcp(file: ts.SourceFile, drafts: Drafts): void {
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { text } = node.expression.name;
      const [first] = node.arguments;
      if (text === "addTool" && first !== undefined) readTool(node, { node: first, bound: unbound }, file, drafts);
      if (text === "addTools" && first !== undefined) readTools(node, { node: first, bound: unbound }, file, drafts);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

function readTools(call: ts.CallExpression, given: Followed, file: ts.SourceFile, drafts: Drafts): void {
  const { node, bound } = follow(drafts.context, given);
  if (!ts.isArrayLiteralExpression(node)) readTool(call, given, file, drafts);
  else for (const element of node.elements) readTool(call, { node: element, bound }, file, drafts);
}

function readTool(call: ts.CallExpression, given: Followed, file: ts.SourceFile, drafts: Drafts): void {
  const { context } = drafts;
  const tool = follow(context, given);
  const member = (key: string): Followed | undefined => memberOf(context, tool, key);
  const name = textMember(drafts, member("name"));
  if (name === undefined || !ts.isObjectLiteralExpression(tool.node)) {
    leaveOpen(context, call, "a tool that is made at run time", "write it by hand");
    return;
  }
  context.tool = name;
  const own = tool.node.getSourceFile();
  addFoundTool(drafts, own.isDeclarationFile ? file : own, {
    node: tool.node === given.node ? call : tool.node,
    source: "fastmcp",
    name,
    description: textMember(drafts, member("description")),
    annotations: member("annotations"),
    input: member("parameters"),
    output: member("outputSchema"),
    handler: member("execute"),
  });
}
