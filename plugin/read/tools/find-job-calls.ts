import { ts } from "ts-morph";
import { jobMethods } from "../base/job-calls.ts";
import { placeOf, report, UnresolvedInLean, type Reading } from "../base/reading.ts";
import { tenonName, tenonSymbol } from "../base/tenon-symbols.ts";
import { isError } from "../types/check-names.ts";

/** A call of a method of a `JobContext`. */
export interface JobCall {
  readonly method: (typeof jobMethods)[number];
  readonly node: ts.CallExpression;
}

/**
 * Finds the calls in a module of methods that ask, store results or wait, in source order. Reports uses of these
 * methods that are not calls, since the build cannot follow them.
 */
export function findJobCalls(reading: Reading): readonly JobCall[] {
  const { text } = reading.file;
  if (!mentioned.test(text)) return [];
  const found: JobCall[] = [];
  // Types are read only where a job may be, since that type-checks the module.
  const isStray = (job: ts.Node | undefined): boolean =>
    job !== undefined && /JobContext/.test(text) && isJob(reading, job);
  const visit = (node: ts.Node): void => {
    const method = methodOf(node);
    if (method !== undefined) {
      const { parent } = node;
      const job = (node as ts.PropertyAccessExpression | ts.ElementAccessExpression).expression;
      if (ts.isCallExpression(parent) && parent.expression === node) {
        if (isJob(reading, job)) found.push({ method, node: parent });
      } else if (!ts.isTypeOfExpression(parent) && isStray(job)) reportStray(reading, node, method);
    }
    if (ts.isObjectBindingPattern(node)) {
      const taken = node.elements.filter((one) => isMethod(nameOf(one)));
      if (taken.length > 0 && isStray(sourceOf(node)))
        for (const one of taken) reportStray(reading, one, nameOf(one) ?? "");
    }
    ts.forEachChild(node, visit);
  };
  visit(reading.file);
  return found;
}

const mentioned = new RegExp(`\\b(?:${jobMethods.join("|")})\\b`);

function isMethod(name: string | undefined): name is JobCall["method"] {
  return jobMethods.some((method) => method === name);
}

/** The method that an access names: `job.step`, or `job["step"]`. */
function methodOf(node: ts.Node): JobCall["method"] | undefined {
  const name = ts.isPropertyAccessExpression(node)
    ? node.name.text
    : ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)
      ? node.argumentExpression.text
      : undefined;
  return isMethod(name) ? name : undefined;
}

/** The name of the property that an element of a pattern takes. */
function nameOf({ propertyName, name, dotDotDotToken }: ts.BindingElement): string | undefined {
  const node = propertyName ?? name;
  return dotDotDotToken === undefined && (ts.isIdentifier(node) || ts.isStringLiteralLike(node))
    ? node.text
    : undefined;
}

/** Returns what a pattern takes apart: a parameter, or the value of a variable. */
function sourceOf({ parent }: ts.ObjectBindingPattern): ts.Node | undefined {
  return ts.isParameter(parent) ? parent : ts.isVariableDeclaration(parent) ? parent.initializer : undefined;
}

function reportStray(reading: Reading, node: ts.Node, method: string): void {
  report(reading, {
    code: "TN133",
    place: placeOf(node),
    message: `\`${method}\` is taken from the job instead of being called on it, so that the build does not see its calls.`,
    fix: `write each call as \`job.${method}(…)\``,
  });
}

/** True for a `JobContext`. Decided by the declaration if possible, since a `lean` program may not know the type. */
function isJob(reading: Reading, expression: ts.Node): boolean {
  const { checker } = reading;
  // `job.report.step` is skipped, since it only reports.
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === "report") return false;
  const isName = ts.isIdentifier(expression);
  const declared = isName ? checker.getSymbolAtLocation(expression)?.valueDeclaration : expression;
  if (isJobParameter(reading, declared)) return true;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression));
  if (isError(type) && reading.canRetry) throw new UnresolvedInLean();
  return tenonSymbol(reading, type.getSymbol()) === "JobContext";
}

function isJobParameter(reading: Reading, node: ts.Node | undefined): boolean {
  const type = node !== undefined && ts.isParameter(node) ? node.type : undefined;
  return type !== undefined && ts.isTypeReferenceNode(type) && tenonName(reading, type.typeName) === "JobContext";
}
