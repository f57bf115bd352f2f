import { basename } from "node:path";
import { ts } from "ts-morph";
import { memberOf, follow, type Followed, unbound } from "../base/follow.ts";
import type { Drafts } from "../code/drafts.ts";
import { addFoundTool, textMember } from "./found-tool.ts";

/** Reads a tool of xmcp: a file with `export const schema`, `export const metadata`, and a default function. */
export function readXmcp(file: ts.SourceFile, drafts: Drafts): void {
  const { context } = drafts;
  const handler = defaultExport(file);
  const metadata = exported(file, "metadata");
  if (handler === undefined || metadata === undefined || !/["']xmcp["']/.test(file.text)) return;
  const facts = follow(context, metadata);
  const member = (key: string): Followed | undefined => memberOf(context, facts, key);
  const name = textMember(drafts, member("name")) ?? basename(file.fileName).replace(/\.[^.]+$/, "");
  addFoundTool(drafts, file, {
    node: handler,
    source: "xmcp",
    name,
    description: textMember(drafts, member("description")),
    annotations: member("annotations"),
    input: exported(file, "schema"),
    output: exported(file, "outputSchema"),
    handler: { node: handler, bound: unbound },
  });
}

function defaultExport(file: ts.SourceFile): ts.Expression | undefined {
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement)) return statement.expression;
    const isDefault = ts.canHaveModifiers(statement)
      ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
      : false;
    // A function declaration as the default export is read like a function expression.
    if (isDefault && ts.isFunctionDeclaration(statement)) return statement as unknown as ts.Expression;
  }
  return undefined;
}

function exported(file: ts.SourceFile, name: string): Followed | undefined {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const one of statement.declarationList.declarations)
      if (ts.isIdentifier(one.name) && one.name.text === name) return { node: one.name, bound: unbound };
  }
  return undefined;
}
