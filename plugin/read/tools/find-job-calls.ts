import { ts } from "ts-morph";
import { UnresolvedInLean, type Reading } from "../base/reading.ts";
import { tenonName, tenonSymbol } from "../base/tenon-symbols.ts";
import { isError } from "../types/check-names.ts";

const methods = ["ask", "step", "sleep", "wait"] as const;

/** A call of a method of a `JobContext`. */
export interface JobCall {
  readonly method: (typeof methods)[number];
  readonly node: ts.CallExpression;
}

/** Finds the calls in a module of methods that ask, store results or wait, in source order. */
export function findJobCalls(reading: Reading): readonly JobCall[] {
  if (!/\.(?:ask|wait|sleep|step)\s*[<(]/.test(reading.file.text)) return [];
  const found: JobCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const method = ts.isPropertyAccessExpression(expression) && methods.find((name) => name === expression.name.text);
      if (method && isJob(reading, expression.expression)) found.push({ method, node });
    }
    ts.forEachChild(node, visit);
  };
  visit(reading.file);
  return found;
}

/** True for a `JobContext`. Decided by the declaration if possible, since a `lean` program may not know the type. */
function isJob(reading: Reading, expression: ts.Expression): boolean {
  const { checker } = reading;
  // `job.report.step` is skipped, since it only reports.
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === "report") return false;
  if (ts.isIdentifier(expression)) {
    const declaration = checker.getSymbolAtLocation(expression)?.valueDeclaration;
    const node = declaration !== undefined && ts.isParameter(declaration) ? declaration.type : undefined;
    if (node !== undefined && ts.isTypeReferenceNode(node) && tenonName(reading, node.typeName) === "JobContext")
      return true;
  }
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression));
  if (isError(type) && reading.canRetry) throw new UnresolvedInLean();
  return tenonSymbol(reading, type.getSymbol()) === "JobContext";
}
