import { ts } from "ts-morph";
import { adoptedPrefix } from "../../model/adopted.ts";
import type { AdoptContext } from "../base/context.ts";
import { freeName } from "../base/names.ts";
import { carryNeeds } from "./carry.ts";
import type { Draft, Drafts } from "./drafts.ts";
import { editedText, type SourceEdit } from "./source-edits.ts";
import { tagEdits } from "./tsoa-tags.ts";

/** Declaration of a type that requests and results consist of. */
export type Model = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.EnumDeclaration | ts.ClassDeclaration;

/**
 * Copies the models to which a type refers, with converted tags, into the modules generated from their files. Returns
 * the edits of the type for names that had to change.
 *
 * @param within Code whose own declarations are not copied
 */
export function copyModels(drafts: Drafts, draft: Draft, node: ts.Node, within: ts.Node): readonly SourceEdit[] {
  const edits: SourceEdit[] = [];
  const visit = (at: ts.Node): void => {
    edits.push(...tagEdits(drafts.context, at));
    if (ts.isIdentifier(at)) edits.push(...copyName(drafts, draft, at, within));
    ts.forEachChild(at, visit);
  };
  visit(node);
  return edits;
}

/** Returns the text of a type, after copying the models to which it refers. */
export function copiedType(drafts: Drafts, draft: Draft, type: ts.TypeNode, within: ts.Node): string {
  const edits = copyModels(drafts, draft, type, within);
  return editedText(type.getSourceFile(), type.getStart(), type.end, edits);
}

function copyName(drafts: Drafts, draft: Draft, name: ts.Identifier, within: ts.Node): readonly SourceEdit[] {
  const { context } = drafts;
  const symbol = context.checker.getSymbolAtLocation(name);
  const model = modelOf(context, name);
  const { parent } = name;
  const isType =
    ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent) || ts.isQualifiedName(parent);
  if (model === undefined || !isType) return carryNeeds(drafts, draft, name, within);
  const owner = drafts.of(model.getSourceFile().fileName);
  const copied = owner.carried.get(model) ?? copyModel(drafts, owner, model);
  if (owner === draft) return copied === name.text ? [] : [{ start: name.getStart(), end: name.end, text: copied }];
  const [specifier] = symbol?.declarations ?? [];
  if (specifier === undefined) return [];
  const from = adoptedPrefix + owner.file;
  const isErased = ts.isInterfaceDeclaration(model) || ts.isTypeAliasDeclaration(model);
  draft.carried.set(specifier, name.text);
  draft.imports.set(name.text, { from, written: from, name: copied, local: name.text, isType: isErased });
  return [];
}

/** Finds the declaration of a model by its name, even in another file. */
export function modelOf({ checker }: AdoptContext, name: ts.Node): Model | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return (isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.declarations?.find(isModel);
}

/** True for types at the top level of a file, and for classes that contain only data. */
function isModel(node: ts.Node): node is Model {
  if (!ts.isSourceFile(node.parent) || node.parent.isDeclarationFile) return false;
  if (ts.isClassDeclaration(node))
    return node.members.length > 0 && node.members.every((one) => ts.isPropertyDeclaration(one) && isBare(one));
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node);
}

function isBare(member: ts.PropertyDeclaration): boolean {
  return (ts.getDecorators(member) ?? []).length === 0 && !/^(?:private|protected|static|#)/.test(member.getText());
}

function copyModel(drafts: Drafts, owner: Draft, model: Model): string {
  const { context } = drafts;
  const name = model.name?.text ?? "Model";
  const local = freeName(name, context.namesOf(owner.file));
  owner.carried.set(model, local);
  const edits = [...copyModels(drafts, owner, model, model), ...headEdits(model, local)];
  const source = model.getSourceFile();
  owner.statements.push(editedText(source, model.getStart(source, true), model.end, edits));
  return local;
}

/** Makes the edits that export a declaration under a name. */
function headEdits(model: Model, local: string): readonly SourceEdit[] {
  const edits: SourceEdit[] = [];
  for (const modifier of ts.getModifiers(model) ?? [])
    edits.push({ start: modifier.getStart(), end: modifier.end + 1, text: "" });
  const { name } = model;
  if (name !== undefined && name.text !== local) edits.push({ start: name.getStart(), end: name.end, text: local });
  return [{ start: model.getStart(), end: model.getStart(), text: "export " }, ...edits];
}
