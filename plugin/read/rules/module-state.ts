import { ts } from "ts-morph";
import { isOwnFile, placeOf, report, type Reading } from "../base/reading.ts";
import { isMutating, mutators } from "../base/mutators.ts";

/**
 * Warns about a tool that changes a variable of its module, or an object in such a variable, because jobs run at the
 * same time.
 */
export function checkModuleState(reading: Reading, tool: string, body: ts.Node): void {
  const visit = (node: ts.Node): void => {
    for (const target of changed(reading, node)) {
      report(reading, {
        code: "TN204",
        place: placeOf(target),
        message: `Tool \`${tool}\` changes \`${rootOf(target).getText()}\`, which all jobs of this module share.`,
        fix: "keep it in a variable of the function",
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
}

/** Returns the expressions that a node changes and that may be state of a module. */
function changed(reading: Reading, node: ts.Node): readonly ts.Expression[] {
  if (ts.isCallExpression(node)) return changedByCall(reading, node);
  return assignedBy(node).filter((target) => isModuleState(reading, target));
}

/** Returns the expressions to which a node assigns. */
export function assignedBy(node: ts.Node): readonly ts.Expression[] {
  return assigned(node).flatMap(partsOf);
}

function assigned(node: ts.Node): readonly ts.Expression[] {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? [node.left] : [];
  }
  if (ts.isPostfixUnaryExpression(node)) return [node.operand];
  if (ts.isPrefixUnaryExpression(node)) {
    const isChange = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
    return isChange ? [node.operand] : [];
  }
  return ts.isDeleteExpression(node) ? [node.expression] : [];
}

/** Returns the targets of an assignment, including those inside of a pattern. */
function partsOf(target: ts.Expression): readonly ts.Expression[] {
  if (ts.isArrayLiteralExpression(target)) return target.elements.flatMap(partsOf);
  if (ts.isSpreadElement(target)) return partsOf(target.expression);
  if (!ts.isObjectLiteralExpression(target)) return [target];
  return target.properties.flatMap((property) => {
    if (ts.isPropertyAssignment(property)) return partsOf(property.initializer);
    if (ts.isSpreadAssignment(property)) return partsOf(property.expression);
    return ts.isShorthandPropertyAssignment(property) ? [property.name] : [];
  });
}

/** Functions of the platform that change their first argument. */
const assigners: ReadonlySet<string> = new Set([
  "Object.assign",
  "Object.defineProperty",
  "Object.defineProperties",
  "Reflect.set",
  "Reflect.deleteProperty",
]);

function changedByCall(reading: Reading, call: ts.CallExpression): readonly ts.Expression[] {
  const target = mutatedBy(reading, call, (one) => isModuleState(reading, one));
  return target === undefined ? [] : [target];
}

/** Returns the object that a call changes: its first argument, or the list, map or set whose method is called. */
export function mutatedBy(
  reading: Reading,
  { expression, arguments: given }: ts.CallExpression,
  isMeant: (target: ts.Expression) => boolean,
): ts.Expression | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const [first] = given;
  if (first !== undefined && assigners.has(expression.getText()) && isMeant(first)) return first;
  const { name, expression: target } = expression;
  // Types are checked last, since this takes the compiler more time than the other checks together.
  if (!isMutating(name.text) || !isMeant(target) || !isOwn(reading, rootOf(target))) return undefined;
  const owner = reading.checker.getSymbolAtLocation(name)?.declarations?.[0]?.parent;
  const isMutator =
    owner !== undefined &&
    ts.isInterfaceDeclaration(owner) &&
    reading.program.isSourceFileDefaultLibrary(owner.getSourceFile()) &&
    mutators.get(owner.name.text)?.has(name.text) === true;
  return isMutator ? target : undefined;
}

/** False for exports of a package, whose types are not read for this rule. */
function isOwn(reading: Reading, root: ts.Node): boolean {
  const { checker } = reading;
  const symbol = checker.getSymbolAtLocation(root);
  const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const file = (isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.declarations?.[0]?.getSourceFile();
  if (file === undefined || !isOwnFile(reading, file)) return false;
  reading.touched.add(file);
  return true;
}

/** Returns the variable in which an expression such as `list[0].name` begins. */
export function rootOf(target: ts.Expression): ts.Expression {
  let root = target;
  while (
    ts.isPropertyAccessExpression(root) ||
    ts.isElementAccessExpression(root) ||
    ts.isParenthesizedExpression(root) ||
    ts.isNonNullExpression(root) ||
    ts.isAsExpression(root) ||
    ts.isSatisfiesExpression(root)
  )
    root = root.expression;
  return root;
}

/** True for a top-level variable of a module, an export of another module, and objects in them. */
function isModuleState(reading: Reading, target: ts.Expression): boolean {
  const root = rootOf(target);
  if (!ts.isIdentifier(root)) return false;
  const declaration = reading.checker.getSymbolAtLocation(root)?.declarations?.[0];
  if (declaration === undefined) return false;
  if (ts.isImportSpecifier(declaration) || ts.isImportClause(declaration) || ts.isNamespaceImport(declaration))
    return true;
  if (!ts.isVariableDeclaration(declaration)) return false;
  const statement = declaration.parent.parent;
  return ts.isVariableStatement(statement) && ts.isSourceFile(statement.parent);
}
