import { dirname, resolve } from "node:path";
import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { declarationOf } from "../base/follow.ts";
import { freeName } from "../base/names.ts";
import { addImport, type Draft, type Drafts } from "./drafts.ts";
import { dedented, editedText, type SourceEdit } from "./source-edits.ts";
import { inferredType } from "./inferred-type.ts";

/** Matches calls and classes that create a server; these are not carried over, since tenon creates the server. */
const servers = /^(?:new\s+)?(?:McpServer|FastMCP|Server|Hono|OpenAPIHono|[Ff]astify|initServer|initContract)\b/;

/**
 * Adds to a module everything that a piece of code refers to: imports, and declarations of its file. Returns the edits
 * of the code for names that had to change.
 *
 * @param within Code whose own declarations are not added to the module; default: the piece of code itself
 */
export function carryNeeds(drafts: Drafts, draft: Draft, node: ts.Node, within: ts.Node = node): readonly SourceEdit[] {
  const edits: SourceEdit[] = [];
  const visit = (at: ts.Node): void => {
    const type = ts.isTypeReferenceNode(at) ? inferredType(drafts, draft, at) : undefined;
    if (type !== undefined) {
      edits.push({ start: at.getStart(), end: at.end, text: type });
      return;
    }
    if (at.kind === ts.SyntaxKind.ThisKeyword && !isInOwnClass(at, node))
      edits.push({ start: at.getStart(), end: at.end, text: capture(drafts, draft, at, "self", "any") });
    if (ts.isIdentifier(at) && isReference(at)) edits.push(...carryName(drafts, draft, at, within));
    ts.forEachChild(at, visit);
  };
  visit(node);
  return edits;
}

function isInOwnClass(at: ts.Node, within: ts.Node): boolean {
  const owner = ts.findAncestor(
    at,
    (one) => ts.isClassLike(one) || ts.isFunctionDeclaration(one) || ts.isFunctionExpression(one),
  );
  return owner !== undefined && owner.pos >= within.pos && owner.end <= within.end && owner !== within;
}

/** False for the name of a member or a property, which does not refer to a declaration by itself. */
function isReference(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === name;
  if (ts.isQualifiedName(parent)) return parent.left === name;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodDeclaration(parent))
    return ts.isPropertyAssignment(parent) && parent.initializer === name;
  if (ts.isBindingElement(parent)) return parent.propertyName !== name;
  return !ts.isPropertyDeclaration(parent) || parent.initializer === name;
}

function carryName(drafts: Drafts, draft: Draft, name: ts.Identifier, within: ts.Node): readonly SourceEdit[] {
  const { checker } = drafts.context;
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  // A schema and its type often have the same name, so the declaration of the right kind is chosen.
  const isOfType = (one: ts.Node): boolean => ts.isTypeAliasDeclaration(one) || ts.isInterfaceDeclaration(one);
  const isType = ts.isTypeReferenceNode(name.parent) || ts.isExpressionWithTypeArguments(name.parent);
  const declaration = symbol?.declarations?.find((one) => isOfType(one) === isType) ?? symbol?.declarations?.[0];
  if (declaration === undefined || declaration.getSourceFile().fileName !== draft.file) return [];
  const isOwn = declaration.pos >= within.pos && declaration.end <= within.end;
  const known = draft.carried.get(declaration);
  const local = isOwn ? known : carryDeclaration(drafts, draft, declaration, name.text);
  if (local === undefined || local === name.text) return [];
  const text = ts.isShorthandPropertyAssignment(name.parent) ? `${name.text}: ${local}` : local;
  return [{ start: name.getStart(), end: name.end, text }];
}

/** Adds a declaration of the original file to the module; returns its name there. */
function carryDeclaration(drafts: Drafts, draft: Draft, declaration: ts.Node, name: string): string | undefined {
  const known = draft.carried.get(declaration);
  if (known !== undefined) return known;
  const statement = ts.findAncestor(declaration, ts.isImportDeclaration);
  if (statement !== undefined)
    return importedType(drafts, draft, declaration) ?? carryImport(draft, declaration, statement, name);
  const type =
    ts.isTypeAliasDeclaration(declaration) && ts.isTypeReferenceNode(declaration.type)
      ? inferredType(drafts, draft, declaration.type)
      : undefined;
  if (type !== undefined && /^[\w$]+$/.test(type)) return type;
  const whole = ts.findAncestor(declaration, ts.isStatement);
  if (whole === undefined || !isMovable(declaration, whole)) {
    const annotation = "type" in declaration ? (declaration.type as ts.TypeNode | undefined) : undefined;
    const edits = annotation === undefined ? [] : carryNeeds(drafts, draft, annotation);
    const text = annotation && editedText(annotation.getSourceFile(), annotation.getStart(), annotation.end, edits);
    return capture(drafts, draft, declaration, name, text ?? "any");
  }
  return moveStatement(drafts, draft, whole, declaration);
}

/** True for a declaration that may be moved to the top level of a module. */
function isMovable(declaration: ts.Node, statement: ts.Statement): boolean {
  if (ts.isParameter(declaration) || ts.findAncestor(declaration, ts.isCatchClause)) return false;
  if (!ts.isVariableStatement(statement)) {
    const kinds = [ts.isFunctionDeclaration, ts.isClassDeclaration, ts.isInterfaceDeclaration];
    return kinds.some((is) => is(statement)) || ts.isTypeAliasDeclaration(statement) || ts.isEnumDeclaration(statement);
  }
  const isTop = ts.isSourceFile(statement.parent);
  const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
  if (!isTop && !isConst) return false;
  return statement.declarationList.declarations.every(({ initializer }) => {
    if (initializer === undefined) return isTop;
    const text = initializer.getText();
    return !servers.test(text) && !(/\bawait\b/.test(text) && !ts.isArrowFunction(initializer) && !isTop);
  });
}

/** Adds a statement to the module, after the declarations that it refers to. */
function moveStatement(drafts: Drafts, draft: Draft, statement: ts.Statement, declaration: ts.Node): string {
  const { context } = drafts;
  const names = declaredNames(statement);
  const edits: SourceEdit[] = [];
  for (const one of names) {
    const local = freeName(one.name.text, context.namesOf(draft.file));
    draft.carried.set(one.declaration, local);
  }
  edits.push(...carryNeeds(drafts, draft, statement));
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  for (const modifier of modifiers)
    if (modifier.kind === ts.SyntaxKind.ExportKeyword || modifier.kind === ts.SyntaxKind.DefaultKeyword)
      edits.push({ start: modifier.getStart(), end: modifier.end + 1, text: "" });
  const source = statement.getSourceFile();
  const text = editedText(source, statement.getStart(source, true), statement.end, edits);
  draft.statements.push(ts.isSourceFile(statement.parent) || hasLongText(statement) ? text : dedented(text));
  return draft.carried.get(declaration) ?? "";
}

interface DeclaredName {
  readonly name: ts.Identifier;
  readonly declaration: ts.Node;
}

function declaredNames(statement: ts.Statement): readonly DeclaredName[] {
  if (!ts.isVariableStatement(statement)) {
    const { name } = statement as ts.Statement & { readonly name?: ts.Node };
    return name !== undefined && ts.isIdentifier(name) ? [{ name, declaration: statement }] : [];
  }
  const ofPattern = (one: ts.VariableDeclaration | ts.BindingElement): readonly DeclaredName[] =>
    ts.isIdentifier(one.name)
      ? [{ name: one.name, declaration: one }]
      : one.name.elements.flatMap((element) => (ts.isBindingElement(element) ? ofPattern(element) : []));
  return statement.declarationList.declarations.flatMap(ofPattern);
}

/** True for code that contains a template literal of several lines, which must not be indented differently. */
export function hasLongText(node: ts.Node): boolean {
  const isLong = ts.isTemplateLiteral(node) && node.getText().includes("\n");
  return isLong || (ts.forEachChild(node, hasLongText) ?? false);
}

/**
 * Returns the generated type for an imported type that was inferred from a schema, such as `z.infer<typeof schema>`.
 */
function importedType(drafts: Drafts, draft: Draft, declaration: ts.Node): string | undefined {
  const target = ts.isImportSpecifier(declaration) ? declarationOf(drafts.context, declaration.name) : undefined;
  if (target === undefined || !ts.isTypeAliasDeclaration(target) || !ts.isTypeReferenceNode(target.type))
    return undefined;
  const text = inferredType(drafts, draft, target.type);
  return text !== undefined && /^[\w$]+$/.test(text) ? text : undefined;
}

function carryImport(draft: Draft, declaration: ts.Node, statement: ts.ImportDeclaration, name: string): string {
  const written = (statement.moduleSpecifier as ts.StringLiteral).text;
  const from = written.startsWith(".") ? resolve(dirname(draft.file), written).replaceAll("\\", "/") : written;
  const isSpecifier = ts.isImportSpecifier(declaration);
  const imported = isSpecifier
    ? (declaration.propertyName ?? declaration.name).text
    : ts.isNamespaceImport(declaration)
      ? "*"
      : "default";
  if (imported === "UserError" && written === "fastmcp") {
    addImport(draft, "tenon", "ValueError", false);
    return "ValueError";
  }
  const isType = statement.importClause?.isTypeOnly === true || (isSpecifier && declaration.isTypeOnly);
  draft.imports.set(name, { from, written, name: imported, local: name, isType });
  return name;
}

/** Declares a name without a value (`declare const`), which the author has to provide. */
export function capture(drafts: Drafts, draft: Draft, node: ts.Node, name: string, type: string): string {
  const { context } = drafts;
  const key = node.kind === ts.SyntaxKind.ThisKeyword ? (ts.findAncestor(node, ts.isClassLike) ?? node) : node;
  const known = draft.carried.get(key);
  if (known !== undefined) return known;
  const shared = draft.captured.get(`${name}: ${type}`);
  if (shared !== undefined) {
    draft.carried.set(key, shared);
    return shared;
  }
  const local = freeName(name, context.namesOf(draft.file));
  draft.carried.set(key, local);
  draft.captured.set(`${name}: ${type}`, local);
  draft.statements.push(`// Not carried over: give it a value, or import it.\ndeclare const ${local}: ${type};`);
  const before = context.tool;
  context.tool = undefined;
  leaveOpen(context, node, `\`${name}\` is not known outside of its function`, `replace \`declare const ${local}\``);
  context.tool = before;
  return local;
}
