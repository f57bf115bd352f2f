import { ts } from "ts-morph";
import type { Variable } from "../../model/service.ts";

/** Reads of `process.env` in one file. */
export interface FoundVariables {
  readonly named: readonly Variable[];
  /** Line numbers of reads whose variable is not known, such as `process.env[key]`. */
  readonly unnamed: readonly number[];
}

/** Finds the environment variables that a source reads: by name or by destructuring, also through `node:process`. */
export function findVariables(file: string, text: string): FoundVariables {
  if (!/\benv\b/.test(text)) return { named: [], unnamed: [] };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const aliases = envNames(source);
  const isEnv = (node: ts.Node): boolean =>
    ts.isIdentifier(node)
      ? aliases.has(node.text)
      : ts.isPropertyAccessExpression(node) &&
        node.name.text === "env" &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === "process";
  const named: Variable[] = [];
  const unnamed: number[] = [];
  const visit = (node: ts.Node): void => {
    if (isEnv(node) && !isDeclared(node)) {
      const found = readAt(node);
      if (found === undefined) unnamed.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
      else named.push(...found);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { named, unnamed };
}

/** Local names of `env` of `node:process`. */
function envNames(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!/^(?:node:)?process$/.test(statement.moduleSpecifier.text) || !bindings || !ts.isNamedImports(bindings))
      continue;
    for (const { name, propertyName } of bindings.elements)
      if ((propertyName ?? name).text === "env") names.add(name.text);
  }
  return names;
}

/** True for a name at its declaration, or for a property with the same name: `config.env`. */
function isDeclared(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportSpecifier(parent)) return true;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) && parent.name === node;
}

/** Returns the variables that are read by an access to `process.env`; undefined when it does not name them. */
function readAt(env: ts.Node): readonly Variable[] | undefined {
  const { parent } = env;
  if (ts.isPropertyAccessExpression(parent)) return [describe(parent, parent.name.text)];
  if (ts.isElementAccessExpression(parent)) {
    const { argumentExpression: key } = parent;
    return ts.isStringLiteralLike(key) ? [describe(parent, key.text)] : undefined;
  }
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return undefined;
  const { elements } = parent.name;
  if (elements.some(({ dotDotDotToken }) => dotDotDotToken !== undefined)) return undefined;
  return elements.map((element) => {
    const key = element.propertyName ?? element.name;
    const fallback = element.initializer && literalText(element.initializer);
    return variable(key.getText().replaceAll(/["']/g, ""), element, { ...(fallback !== undefined && { fallback }) });
  });
}

/**
 * Describes a variable by the expression around its access: its default, its kind, and whether the code assumes that it
 * is set.
 */
function describe(access: ts.Node, name: string): Variable {
  const facts: { fallback?: string; isRequired?: boolean } = {};
  let node = access;
  for (let { parent } = node; ; { parent } = node) {
    if (ts.isNonNullExpression(parent) || ts.isAsExpression(parent)) facts.isRequired = true;
    else if (isFallback(parent, node)) {
      const fallback = literalText(parent.right);
      if (fallback !== undefined) facts.fallback = fallback;
    } else if (!ts.isParenthesizedExpression(parent)) {
      return variable(name, access, { ...facts, ...kindBy(parent, node) });
    }
    node = parent;
  }
}

function isFallback(parent: ts.Node, node: ts.Node): parent is ts.BinaryExpression {
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return false;
  const { kind } = parent.operatorToken;
  return kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
}

function kindBy(parent: ts.Node, node: ts.Node): Partial<Variable> {
  const isNumber = ts.isCallExpression(parent)
    ? parent.arguments[0] === node &&
      /^(?:Number(?:\.parse(?:Int|Float))?|parse(?:Int|Float))$/.test(parent.expression.getText())
    : ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.PlusToken;
  if (isNumber) return { kind: "number" };
  const isFlag =
    ts.isBinaryExpression(parent) && parent.left === node && /^["'](?:true|false)["']$/.test(parent.right.getText());
  return isFlag ? { kind: "boolean" } : {};
}

function variable(name: string, node: ts.Node, facts: Partial<Variable>): Variable {
  const description = commentAt(node);
  const { isRequired = false, fallback, kind = "text" } = facts;
  return {
    name,
    kind,
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { fallback }),
    isRequired: isRequired && fallback === undefined,
  };
}

function literalText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  return node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword
    ? node.getText()
    : undefined;
}

/**
 * Finds the comment of the declaration or the property for which a variable is read. The comment of the enclosing
 * function does not count.
 */
function commentAt(node: ts.Node): string | undefined {
  for (let at: ts.Node = node; !ts.isSourceFile(at) && !ts.isFunctionLike(at) && !ts.isBlock(at); at = at.parent) {
    // The comment of a declaration is attached to its statement.
    const [doc] = (at as { jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? [];
    const text = doc && ts.getTextOfJSDocComment(doc.comment);
    if (text !== undefined && text.trim() !== "") return text.trim().replaceAll(/\s+/g, " ");
  }
  return undefined;
}
