import { ts } from "ts-morph";
import { leaveOpen } from "../base/context.ts";
import { freeName, typeName } from "../base/names.ts";
import { capture, carryNeeds } from "./carry.ts";
import { copiedType } from "./copy-models.ts";
import type { Draft, Drafts } from "./drafts.ts";
import { handlerText, leaveErrors } from "./handler.ts";
import { editedText, type SourceEdit } from "./source-edits.ts";

const advices: { readonly [method: string]: string } = {
  setStatus: "throw `ValueError` for an error; tenon chooses the status",
  setHeader: "return the value as a field of the result",
};

/** Makes the body of a controller's method. Members of the class that it uses become declarations of the module. */
export function controllerBody(drafts: Drafts, draft: Draft, method: ts.MethodDeclaration): string {
  leaveErrors(drafts, method);
  return handlerText(drafts, draft, method, method.body ? memberEdits(drafts, draft, method.body) : [], false).body;
}

function memberEdits(drafts: Drafts, draft: Draft, body: ts.Node): readonly SourceEdit[] {
  const edits: SourceEdit[] = [];
  const owner = ts.findAncestor(body, ts.isClassLike);
  const visit = (at: ts.Node): void => {
    const advice = ts.isExpressionStatement(at) ? advices[calledOnThis(at.expression) ?? ""] : undefined;
    const isMember = ts.isPropertyAccessExpression(at) && at.expression.kind === ts.SyntaxKind.ThisKeyword;
    const member = isMember ? memberName(drafts, draft, at) : undefined;
    if (advice !== undefined) {
      leaveOpen(drafts.context, at, "an answer has no status or header of its own", advice);
      edits.push(removal(at));
    } else if (member !== undefined) edits.push({ start: at.getStart(), end: at.end, text: member });
    else if (at.kind === ts.SyntaxKind.ThisKeyword) {
      if (owner !== undefined && !draft.captured.has("self: any")) draft.carried.delete(owner);
      capture(drafts, draft, at, "self", "any");
    } else ts.forEachChild(at, visit);
  };
  visit(body);
  // After all members are replaced, `self` is declared only if other uses of `this` remain.
  if (owner !== undefined && !draft.carried.has(owner)) draft.carried.set(owner, "self");
  return edits;
}

function calledOnThis(node: ts.Expression): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression, name } = node.expression;
  return expression.kind === ts.SyntaxKind.ThisKeyword ? name.text : undefined;
}

function removal(statement: ts.Node): SourceEdit {
  const { text } = statement.getSourceFile();
  const [start, end] = [statement.getStart(), statement.end];
  if (!ts.isBlock(statement.parent) && !ts.isCaseOrDefaultClause(statement.parent)) return { start, end, text: "{}" };
  const space = /\n[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: start - space, end, text: "" };
}

/** Returns the name of the declaration that replaces a member of the class; undefined for members of other files. */
function memberName(drafts: Drafts, draft: Draft, at: ts.PropertyAccessExpression): string | undefined {
  const member = drafts.context.checker.getSymbolAtLocation(at.name)?.valueDeclaration;
  if (member === undefined || member.getSourceFile().fileName !== draft.file) return undefined;
  const known = draft.carried.get(member);
  if (known !== undefined) return known;
  if (ts.isMethodDeclaration(member) && member.body !== undefined) return helper(drafts, draft, member);
  if (!ts.isPropertyDeclaration(member) && !ts.isParameter(member)) return undefined;
  const { initializer, type } = member;
  const part = (node: ts.Node): string =>
    editedText(member.getSourceFile(), node.getStart(), node.end, carryNeeds(drafts, draft, node));
  const name = outerName(member, at.name.text);
  const typed = type && part(type);
  if (initializer === undefined || /\bthis\b/.test(initializer.getText()))
    return capture(drafts, draft, member, name, typed ?? "any");
  const local = carriedName(drafts, draft, member, name);
  const isReadonly = ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) ?? false;
  const keyword = isReadonly || ts.isNewExpression(initializer) ? "const" : "let";
  draft.statements.push(`${keyword} ${local}${typed === undefined ? "" : `: ${typed}`} = ${part(initializer)};`);
  return local;
}

/**
 * Returns a name for the declaration of a member, other than that of any local variable in the class, which would hide
 * it: `const notes = this.notes.find()` is common.
 */
function outerName(member: ts.Node, written: string): string {
  const name = written.replace(/^#/, "");
  const declares = (at: ts.Node): boolean => {
    const isLocal = ts.isVariableDeclaration(at) || ts.isParameter(at) || ts.isBindingElement(at);
    const isIt = isLocal && at !== member && ts.isIdentifier(at.name) && at.name.text === name;
    return isIt || (ts.forEachChild(at, declares) ?? false);
  };
  const owner = ts.findAncestor(member, ts.isClassLike);
  return owner !== undefined && declares(owner) ? `own${typeName(name)}` : name;
}

function carriedName(drafts: Drafts, draft: Draft, member: ts.Node, name: string): string {
  const local = freeName(name, drafts.context.namesOf(draft.file));
  draft.carried.set(member, local);
  return local;
}

/** Makes a function from a method that other methods call. */
function helper(drafts: Drafts, draft: Draft, method: ts.MethodDeclaration): string {
  const local = carriedName(drafts, draft, method, outerName(method, method.name.getText()));
  const source = method.getSourceFile();
  const part = (node: ts.Node): string =>
    editedText(source, node.getStart(), node.end, carryNeeds(drafts, draft, node, method));
  const parameters = method.parameters.map(part).join(", ");
  const type = method.type === undefined ? "" : `: ${copiedType(drafts, draft, method.type, method)}`;
  const generics = method.typeParameters === undefined ? "" : `<${method.typeParameters.map(part).join(", ")}>`;
  const isAsync = method.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  const body = controllerBody(drafts, draft, method);
  draft.statements.push(`${isAsync ? "async " : ""}function ${local}${generics}(${parameters})${type} {\n${body}\n}`);
  return local;
}
