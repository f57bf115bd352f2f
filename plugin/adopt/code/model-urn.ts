import { ts } from "ts-morph";
import type { AdoptContext } from "../base/context.ts";
import { urnOf } from "../base/names.ts";
import { copiedType, type Model, modelOf } from "./copy-models.ts";
import { addImport, type Draft, type Drafts } from "./drafts.ts";

const utilities = /^(?:Partial|Required|Readonly|Pick|Omit|Record)$/;

/**
 * Returns the text of a request's or result's type. An object type gets a URN: as a tag in its declaration, or by
 * `WithSchema` around it.
 */
export function textWithUrn(
  drafts: Drafts,
  draft: Draft,
  type: ts.TypeNode,
  given: { readonly within: ts.Node; readonly tool: string; readonly kind: "request" | "result" },
): string {
  const { context, namespace } = drafts;
  const text = copiedType(drafts, draft, type, given.within);
  if (!isObject(context, type)) return text;
  const model = ts.isTypeReferenceNode(type) && !type.typeArguments ? modelOf(context, type.typeName) : undefined;
  const owner = model && drafts.of(model.getSourceFile().fileName);
  const name = model && owner?.carried.get(model);
  if (owner !== undefined && name !== undefined && !hasParameters(model)) {
    addTag(owner, name, `@schema ${urnOf(namespace, name, given.kind)}`);
    return text;
  }
  addImport(draft, "tenon", "WithSchema", true);
  return `WithSchema<"${urnOf(namespace, given.tool, given.kind)}", ${text}>`;
}

function isObject(context: AdoptContext, type: ts.TypeNode, depth = 0): boolean {
  const on = (inner: ts.TypeNode): boolean => depth < 10 && isObject(context, inner, depth + 1);
  if (ts.isParenthesizedTypeNode(type)) return on(type.type);
  if (ts.isIntersectionTypeNode(type)) return type.types.some(on);
  if (!ts.isTypeReferenceNode(type)) return ts.isTypeLiteralNode(type);
  const model = modelOf(context, type.typeName);
  if (model === undefined) return utilities.test(type.typeName.getText());
  return ts.isTypeAliasDeclaration(model) ? on(model.type) : !ts.isEnumDeclaration(model);
}

/** Adds a tag to the comment of a declaration in a module, unless its comment already has `@schema`. */
function addTag({ statements }: Draft, name: string, tag: string): void {
  const declares = new RegExp(`^export (?:abstract )?(?:interface|class|type) ${name.replaceAll("$", "\\$")}\\b`, "m");
  const at = statements.findIndex((text) => declares.test(text));
  const text = statements[at];
  if (text === undefined) return;
  const [comment = ""] = /^\/\*\*[^]*?\*\/\s*/.exec(text) ?? [];
  if (/@schema\b/.test(comment)) return;
  const own = comment.replace(/^\/\*\*\s*\*?[ \t]*/, "").replace(/\s*\*\/\s*$/, "");
  const lines = [...(own === "" ? [] : own.split(/\n[ \t]*\*?[ \t]?/)), tag];
  const doc =
    lines.length === 1 ? `/** ${tag} */\n` : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
  statements[at] = doc + text.slice(comment.length);
}

function hasParameters(model: Model | undefined): boolean {
  return model !== undefined && !ts.isEnumDeclaration(model) && model.typeParameters !== undefined;
}
