import { ts } from "ts-morph";
import { propertyKey } from "../base/constants.ts";
import { jobCalls } from "../base/job-calls.ts";
import { isMutating } from "../base/mutators.ts";
import { isSoughtMember, mentionsSoughtMember } from "../base/tenon-symbols.ts";

/**
 * Returns the specifiers of imports that can affect types. Imports that are used only in code cannot: in the body of a
 * function with a written result type, and in statements that declare nothing. A program without those imports has the
 * same signatures, but does not parse the rest of the project.
 */
export function typedImports(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const imports = new Map<string, string>();
  const add = (name: ts.Node | undefined): void => {
    if (name !== undefined && ts.isStringLiteralLike(name)) names.add(name.text);
  };
  const addNamed = (name: string): void => {
    const specifier = imports.get(name);
    if (specifier !== undefined) names.add(specifier);
  };
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    if (bind(statement, file, imports)) add(statement.moduleSpecifier);
  }

  // A comment can inherit the text of a field in another file.
  for (const [, name = ""] of file.text.matchAll(/@inheritDoc\s+([\w$]+)/gi)) addNamed(name);
  const silent = new Set<ts.Node>();
  // Types of questions and of stored results are inside of function bodies, so bodies are searched if the module may
  // have such calls.
  const asks = jobCalls.test(file.text);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node)) addNamed(node.text);
    add(ownSpecifier(node));
    if (ts.isClassLike(node)) defaultNames(node).forEach(addNamed);
    if (!asks) for (const part of silentParts(node)) silent.add(part);
    ts.forEachChild(node, (child) => (silent.has(child) ? visitConstants(child) : visit(child)));
  };
  const hasTools = file.text.includes("@tool");
  // Arguments of a service count, since they are read as constants from any module. Calls that change another module's
  // state count too, since the rule about module state needs to know what a tool changes.
  const visitConstants = (node: ts.Node): void => {
    if (hasTools) changedImports(node, imports).forEach((specifier) => names.add(specifier));
    if (ts.isNewExpression(node) && node.arguments?.some(ts.isObjectLiteralExpression) === true)
      node.arguments.forEach(visit);
    portOf(node).forEach(visit);
    ts.forEachChild(node, visitConstants);
  };
  const usesFlow = /\bvar\s/.test(file.text) || file.statements.some(declaresOpenVariable);
  for (const statement of file.statements) {
    if (onlyRuns(statement) && !usesFlow) visitConstants(statement);
    else visit(statement);
  }
  return names;
}

/** The port in a call that starts a service, which is read as a constant. */
function portOf(node: ts.Node): readonly ts.Node[] {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return [];
  const [, options] = node.arguments;
  if (node.expression.text !== "startLambdaServer" || options === undefined) return [];
  return ts.isObjectLiteralExpression(options) ? options.properties.filter((one) => propertyKey(one) === "port") : [];
}

/** The module of the project whose state a call may change, such as `cache.set(key, value)`. */
function changedImports(node: ts.Node, imports: ReadonlyMap<string, string>): readonly string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  if (!isMutating(node.expression.name.text)) return [];
  let root: ts.Expression = node.expression.expression;
  while (ts.isPropertyAccessExpression(root)) root = root.expression;
  const specifier = ts.isIdentifier(root) ? imports.get(root.text) : undefined;
  return specifier?.startsWith(".") === true ? [specifier] : [];
}

/** Records the names that an import binds. Returns true when the import must always be followed. */
function bind(declaration: ts.ImportDeclaration, file: ts.SourceFile, imports: Map<string, string>): boolean {
  const { importClause, moduleSpecifier } = declaration;
  if (importClause === undefined || !ts.isStringLiteral(moduleSpecifier)) return true;
  const { name, namedBindings } = importClause;
  if (name !== undefined) imports.set(name.text, moduleSpecifier.text);
  if (namedBindings === undefined) return false;
  // Imports of the project's modules are followed, since such a module may re-export a name of tenon.
  if (ts.isNamespaceImport(namedBindings)) {
    imports.set(namedBindings.name.text, moduleSpecifier.text);
    return mentionsSoughtMember(file.text, namedBindings.name.text);
  }
  for (const element of namedBindings.elements) imports.set(element.name.text, moduleSpecifier.text);
  return namedBindings.elements.some((element) => isSoughtMember((element.propertyName ?? element.name).text));
}

/** Returns the module specifier of a node that is not an import declaration, such as an export or an `import()`. */
function ownSpecifier(node: ts.Node): ts.Node | undefined {
  if (ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isModuleDeclaration(node)) return node.name;
  const isImportCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImportCall ? node.arguments[0] : undefined;
}

/**
 * True for a statement that declares nothing. An assignment to a member does not count, since it may add to a
 * declaration.
 */
function onlyRuns(node: ts.Statement): boolean {
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    return !ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken;
  }
  return (
    ts.isIfStatement(node) ||
    ts.isIterationStatement(node, false) ||
    ts.isTryStatement(node) ||
    ts.isSwitchStatement(node) ||
    ts.isBlock(node)
  );
}

/** Returns the parts of a declaration that do not affect its type. */
function silentParts(node: ts.Node): readonly ts.Node[] {
  if (ts.isClassLike(node)) {
    // The constructor is read if a property has neither a type nor a value: it then gets its type from the constructor.
    const isOpen = node.members.some((one) => ts.isPropertyDeclaration(one) && !one.type && !one.initializer);
    return isOpen
      ? []
      : node.members.flatMap((one) => (ts.isConstructorDeclaration(one) && one.body ? [one.body] : []));
  }
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node))
    return node.type && node.initializer ? [node.initializer] : [];
  if (!ts.isFunctionLike(node) || !("body" in node) || ts.isConstructorDeclaration(node)) return [];
  const { body } = node;
  return body !== undefined && (node.type !== undefined || ts.isSetAccessor(node)) ? [body] : [];
}

/**
 * Names in the initial values of a class that has only fields: if it is a request, these are its defaults. In other
 * places, a constant of an imported module is found by a larger program.
 */
function defaultNames({ members }: ts.ClassLikeDeclaration): readonly string[] {
  const fields = members.filter(ts.isPropertyDeclaration);
  return fields.length === members.length ? fields.flatMap((one) => constantNames(one.initializer)) : [];
}

/** The names that a constant can consist of. */
function constantNames(node: ts.Node | undefined): readonly string[] {
  if (node === undefined) return [];
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return constantNames(node.expression);
  if (ts.isPropertyAssignment(node)) return constantNames(node.initializer);
  if (!mayHoldConstants.has(node.kind)) return [];
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...constantNames(child)));
  return found;
}

const mayHoldConstants: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.NonNullExpression,
  ts.SyntaxKind.BinaryExpression,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.ShorthandPropertyAssignment,
]);

function declaresOpenVariable(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement)) return false;
  return statement.declarationList.declarations.some((one) => one.type === undefined && one.initializer === undefined);
}
