/** Makes the mutations of a source file: rules from syntax to replacements, without types. */
import ts from "typescript";
import { mutationOf, type Mutation, type Replacement } from "./mutation.ts";

/** Operators and what stands in their stead. */
const operators: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  "+=": ["-="],
  "-=": ["+="],
  "??=": ["="],
};

/** Methods and those that do otherwise; an empty text drops the call. */
const methods: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  min: "max",
  max: "min",
  filter: "",
  toLowerCase: "",
  toSorted: "",
  trim: "",
  slice: "",
};

/** All mutations of a file, in the order of its text. */
export function mutationsOf(file: string, code: string): readonly Mutation[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: Replacement[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    found.push(...replacements(node, source));
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
    .map((replacement) => mutationOf(file, code, replacement));
}

function replacements(node: ts.Node, source: ts.SourceFile): readonly Replacement[] {
  const start = node.getStart(source);
  const end = node.getEnd();
  const whole: Whole = (kind, text) => ({ kind, start, end, text });
  const over: Over = (part, kind, text) => ({
    kind,
    start: part.getStart(source),
    end: part.getEnd(),
    text,
  });
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken: operator, right } = node;
    if (operator.kind === ts.SyntaxKind.QuestionQuestionToken)
      return [whole("fallback", left.getText(source)), whole("fallback", right.getText(source))];
    return (operators[operator.getText(source)] ?? []).map((text) => over(operator, "operator", text));
  }
  if (ts.isIfStatement(node)) return conditions(node.expression, over);
  if (ts.isConditionalExpression(node)) return conditions(node.condition, over);
  // A loop that never ends says nothing about the tests.
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return [over(node.expression, "condition", "false")];
  if (ts.isPrefixUnaryExpression(node)) return prefix(node, source, whole);
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [whole("statement", ";")];
  if (ts.isContinueStatement(node) || ts.isBreakStatement(node)) return [whole("statement", ";")];
  if (ts.isReturnStatement(node)) return returns(node.expression, whole);
  if (ts.isNumericLiteral(node) && /^[\d_]+$/.test(node.getText(source))) return numbers(node, whole);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [whole("constant", "false")];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [whole("constant", "true")];
  if (ts.isStringLiteral(node) && node.text !== "" && !isName(node)) return [whole("text", '""')];
  if (ts.isTemplateExpression(node) || (ts.isNoSubstitutionTemplateLiteral(node) && node.text !== ""))
    return ts.isTaggedTemplateExpression(node.parent) ? [] : [whole("text", '""')];
  if (ts.isRegularExpressionLiteral(node)) return anchors(node.getText(source)).map((text) => whole("pattern", text));
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return [whole("list", "[]")];
  if (ts.isPropertyAccessExpression(node)) return access(node, source, over);
  return [];
}

type Whole = (kind: string, text: string) => Replacement;
type Over = (part: ts.Node, kind: string, text: string) => Replacement;

function conditions(condition: ts.Expression, over: Over): readonly Replacement[] {
  return ["true", "false"].map((text) => over(condition, "condition", text));
}

/** A `return undefined` has none: without the word, it returns the same. */
function returns(value: ts.Expression | undefined, whole: Whole): readonly Replacement[] {
  if (value === undefined) return [whole("statement", ";")];
  return ts.isIdentifier(value) && value.text === "undefined" ? [] : [whole("statement", "return;")];
}

function prefix(node: ts.PrefixUnaryExpression, source: ts.SourceFile, whole: Whole): readonly Replacement[] {
  const operand = node.operand.getText(source);
  if (node.operator === ts.SyntaxKind.ExclamationToken || node.operator === ts.SyntaxKind.MinusToken)
    return [whole("operator", operand)];
  if (node.operator === ts.SyntaxKind.PlusPlusToken) return [whole("operator", `--${operand}`)];
  if (node.operator === ts.SyntaxKind.MinusMinusToken) return [whole("operator", `++${operand}`)];
  return [];
}

function numbers(node: ts.NumericLiteral, whole: Whole): readonly Replacement[] {
  const value = Number(node.text);
  return [whole("constant", String(value + 1)), ...(value > 0 ? [whole("constant", String(value - 1))] : [])];
}

function access(node: ts.PropertyAccessExpression, source: ts.SourceFile, over: Over): readonly Replacement[] {
  const found: Replacement[] = [];
  if (node.questionDotToken !== undefined) found.push(over(node.questionDotToken, "optional", "."));
  const other = methods[node.name.text];
  const call = node.parent;
  if (other === undefined || !ts.isCallExpression(call) || call.expression !== node) return found;
  found.push(other === "" ? over(call, "call", node.expression.getText(source)) : over(node.name, "method", other));
  return found;
}

/** The pattern without each of its anchors. */
function anchors(pattern: string): readonly string[] {
  const found: string[] = [];
  if (pattern.startsWith("/^")) found.push(`/${pattern.slice(2)}`);
  const stop = pattern.lastIndexOf("/");
  if (pattern[stop - 1] === "$" && pattern[stop - 2] !== "\\")
    found.push(pattern.slice(0, stop - 1) + pattern.slice(stop));
  return found.filter((text) => !/^\/\/|^\/\*/.test(text));
}

/** True for a text that names a property or a module. */
function isName({ parent }: ts.StringLiteral): boolean {
  const isImport = ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport || ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isLiteralTypeNode(parent);
}
