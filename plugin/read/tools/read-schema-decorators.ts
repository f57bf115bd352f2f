import { ts } from "ts-morph";
import type { SchemaDecoratorModel } from "../../model/module.ts";
import type { Reading } from "../base/reading.ts";
import { tenonName } from "../base/tenon-symbols.ts";

/** All decorators `@withSchema("…")` of a module, in source order. */
export function readSchemaDecorators(reading: Reading): readonly SchemaDecoratorModel[] {
  const { file } = reading;
  if (!/\bwithSchema\b/.test(file.text)) return [];
  const found: SchemaDecoratorModel[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) {
      for (const decorator of ts.getDecorators(node) ?? []) {
        const { expression } = decorator;
        if (!ts.isCallExpression(expression) || tenonName(reading, expression.expression) !== "withSchema") continue;
        found.push({ start: decorator.getStart(file), end: decorator.getEnd(), body: bodyOf(node, file) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function bodyOf(node: ts.ClassLikeDeclaration, file: ts.SourceFile): number {
  const brace = node.getChildren(file).find(({ kind }) => kind === ts.SyntaxKind.OpenBraceToken);
  return brace?.getEnd() ?? node.members.pos;
}
