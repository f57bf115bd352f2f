import { ts } from "ts-morph";
import type { InsertionPoint } from "../../model/tool.ts";

/**
 * Returns the place for the generated call. For a hoisted function this is after the first imports, so that a start
 * call in the same module finds the tool; for any other function, it is after the statement. Line numbers do not
 * change.
 */
export function insertionPoint(file: ts.SourceFile, statement: ts.Statement, hoisted: boolean): InsertionPoint {
  return { offset: hoisted ? topOfModule(file) : statement.getEnd() };
}

function topOfModule(file: ts.SourceFile): number {
  let offset: number | undefined;
  for (const [index, statement] of file.statements.entries()) {
    const isImport = ts.isImportDeclaration(statement) || ts.isImportEqualsDeclaration(statement);
    const isDirective = index === 0 || isDirectiveStatement(file.statements[index - 1]);
    if (isImport || (isDirective && isDirectiveStatement(statement))) offset = statement.getEnd();
    else break;
  }
  return offset ?? startOfCode(file.text);
}

function isDirectiveStatement(statement: ts.Statement | undefined): boolean {
  return statement !== undefined && ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}

/** Offset after a byte-order mark and a `#!` line. */
function startOfCode(text: string): number {
  return /^\uFEFF?(?:#![^\r\n]*(?:\r\n|\n|\r|$))?/.exec(text)?.[0].length ?? 0;
}
