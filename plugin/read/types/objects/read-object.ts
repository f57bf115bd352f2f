import { ts } from "ts-morph";
import type { JsonLiteral, ObjectType, TypeModel } from "../../../model/type.ts";
import { descriptionOf, tagText } from "../../comments/doc-text.ts";
import { typeDocOf } from "../../comments/param-tags.ts";
import { applyFieldTags } from "../../constraints/field-tags.ts";
import { EndlessTypes, isOwnFile, placeOf, report } from "../../base/reading.ts";
import { checkBases } from "../check-names.ts";
import { schemaUrn } from "../schema-urn.ts";
import { readField } from "./read-field.ts";
import { readOtherKeys } from "./read-other-keys.ts";
import { part, type Site, type TypeContext } from "../../base/type-context.ts";
import { guarded } from "../recursive-types.ts";
import { claimDefinition, nameOf, pascal, type TypeName } from "../type-names.ts";
import { orderMembers } from "../unions/union-order.ts";
import { reportType, typeText } from "../unsupported.ts";
import { argumentsFor, argumentTags, settleArguments } from "../written/written-tags.ts";
import { writtenAt } from "../written/type-bindings.ts";
import { memberBindings } from "../written/written.ts";

/** Number of nested types with one name after which a type is considered endless. */
const depthLimit = 12;

/** Number of endless types after which reading ends: the same endless type usually occurs on hundreds of paths. */
const mostEndless = 5;

/** Reads an object: a named one becomes a definition, an anonymous one stays inline. */
export function readObject(context: TypeContext, type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel {
  const name = nameOf(context, type, node);
  for (const declaration of (name?.symbol ?? type.getSymbol())?.declarations ?? [])
    context.reading.touched.add(declaration.getSourceFile());
  if (!checkBases(context, type.getSymbol(), site)) return { kind: "unknown" };
  if (name === undefined)
    return guarded(context, type, node, site, () => readMembers(context, type, node, undefined, site));
  const given = argumentsFor(context, name.symbol, writtenAt(node, site));
  const tags = argumentTags(context, given);
  const names = context.named.get(type) ?? [];
  const known = names.find((one) => one.symbol === name.symbol && one.tags === tags);
  if (known !== undefined) {
    settleArguments(context, given);
    return { kind: "ref", name: known.name };
  }
  if (context.stack.filter((symbol) => symbol === name.symbol).length >= depthLimit)
    return endless(context, type, site);
  const text = tags === "" ? name.text : name.symbol.name + given.map((one) => argumentName(one.node)).join("");
  const own = claimDefinition(context, text, type);
  names.push({ symbol: name.symbol, tags, name: own });
  context.named.set(type, names);
  context.stack.push(name.symbol);
  const model = readMembers(context, type, node, name, { ...site, hint: own });
  context.stack.pop();
  context.definitions.set(own, model);
  return { kind: "ref", name: own };
}

/** Makes a name for a type argument: `EmailArray` for `Email[]`. */
function argumentName(node: ts.TypeNode): string {
  if (ts.isParenthesizedTypeNode(node)) return argumentName(node.type);
  return ts.isArrayTypeNode(node) ? `${argumentName(node.elementType)}Array` : pascal(node.getText()).slice(0, 40);
}

function readMembers(
  context: TypeContext,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  name: TypeName | undefined,
  site: Site,
): ObjectType {
  const { checker } = context.reading;
  if (context.open.size > 60) {
    endless(context, type, site);
    return { kind: "object", fields: [] };
  }
  const bindings = memberBindings(context, writtenAt(node, site));
  const inner = { ...part(site, undefined), bindings, overrides: new Set<string>() };
  const nodes = node === undefined ? site.nodes : [node, ...site.nodes];
  const fields = inWrittenOrder(checker, checker.getPropertiesOfType(type), nodes).flatMap(
    (property) => readField(context, type, property, inner) ?? [],
  );
  const others = readOtherKeys(context, type, node, inner);
  const marker = schemaUrn(context, type, name, site);
  if (context.isRequest) reportMethods(context, type, site);
  return withModelTags(
    context,
    { kind: "object", fields, ...others, ...marker, ...readDoc(context, name) },
    name,
    site,
  );
}

/**
 * Sorts keys in the order of their declaration. Keys of a mapped type over literals have no declaration, so they are
 * sorted like the written literals: the compiler would order them by their first use anywhere in the program.
 */
function inWrittenOrder(
  checker: ts.TypeChecker,
  properties: readonly ts.Symbol[],
  nodes: readonly ts.Node[],
): readonly ts.Symbol[] {
  const isDeclared = (property: ts.Symbol): boolean => (property.declarations?.length ?? 0) > 0;
  const undeclared = new Map(
    properties.filter((property) => !isDeclared(property)).map((one) => [checker.getStringLiteralType(one.name), one]),
  );
  if (undeclared.size < 2) return properties;
  const ordered = orderMembers(checker, [...undeclared.keys()], nodes)
    .flatMap((key) => undeclared.get(key) ?? [])
    .values();
  return properties.map((property) => (isDeclared(property) ? property : (ordered.next().value ?? property)));
}

function readDoc(
  context: TypeContext,
  name: TypeName | undefined,
): Pick<ObjectType, "title" | "description" | "deprecated"> {
  for (const declaration of name?.symbol.declarations ?? []) {
    const doc = typeDocOf(declaration);
    if (doc === undefined) continue;
    const place = placeOf(declaration);
    const description = descriptionOf(context.reading, doc, place);
    const title = doc.tags.find((tag) => tag.name === "title");
    const deprecated = doc.tags.find((tag) => tag.name === "deprecated");
    return {
      ...(title === undefined || title.text === "" ? {} : { title: tagText(context.reading, title, place) }),
      ...(description === "" ? {} : { description }),
      ...(deprecated === undefined ? {} : { deprecated: tagText(context.reading, deprecated, place) || true }),
    };
  }
  return {};
}

/**
 * Applies further tags in the comment of an interface or a class: examples are added, tags that narrow values are
 * refused.
 */
function withModelTags(context: TypeContext, object: ObjectType, name: TypeName | undefined, site: Site): ObjectType {
  let examples: readonly JsonLiteral[] = [];
  for (const declaration of name?.symbol.declarations ?? []) {
    const isModel = ts.isInterfaceDeclaration(declaration) || ts.isClassLike(declaration);
    const doc = isModel && isOwnFile(context.reading, declaration.getSourceFile()) ? typeDocOf(declaration) : undefined;
    if (doc === undefined) continue;
    context.ledger.meet(declaration, doc);
    const inFile = { ...site, place: placeOf(declaration), subject: `Type \`${name?.symbol.name ?? ""}\`` };
    const scope = { own: true, narrow: true, at: declaration, on: "model" } as const;
    examples = applyFieldTags(context, { key: "", type: object }, doc, inFile, scope).examples ?? examples;
  }
  return examples.length === 0 ? object : { ...object, examples };
}

function endless(context: TypeContext, type: ts.Type, site: Site): TypeModel {
  const text = typeText(context, type);
  reportType(context, site, {
    code: "TN307",
    message: `has type \`${text}\`, which expands without end.`,
    type: text,
    fix: "let the type refer to itself with the same type arguments",
  });
  context.size.endless += 1;
  if (context.size.endless > mostEndless) throw new EndlessTypes("The types of the tool expand without end.");
  return { kind: "unknown" };
}

/**
 * Warns about public methods and getters of a class that callers send. Requests are plain objects, so
 * `request.money.format()` would compile but fail at run time.
 */
function reportMethods(context: TypeContext, type: ts.Type, site: Site): void {
  const { reading } = context;
  const names = reading.checker.getPropertiesOfType(type).flatMap((property) => {
    const declaration = property.valueDeclaration;
    if (declaration === undefined || !ts.isClassLike(declaration.parent)) return [];
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
    if ((ts.getCombinedModifierFlags(declaration) & hidden) !== 0 || /^__[^@]/.test(property.name)) return [];
    // A member with a symbol as its name is shown with its written name.
    const name = ts.getNameOfDeclaration(declaration)?.getText() ?? property.name;
    if (ts.isMethodDeclaration(declaration)) return [`\`${name}()\``];
    return ts.isAccessor(declaration) ? [`\`${name}\``] : [];
  });
  const [first] = names;
  if (first === undefined) return;
  const which = names.length === 1 ? first : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const declaration = type.getSymbol()?.declarations?.find(ts.isClassLike);
  const own = declaration !== undefined && isOwnFile(reading, declaration.getSourceFile());
  report(reading, {
    code: "TN319",
    place: own ? placeOf(declaration.name ?? declaration) : site.place,
    message: `Callers send plain objects, so a request's \`${type.getSymbol()?.name ?? "object"}\` does not have ${which}.`,
    fix: "write functions that take the data, or an interface for what callers send and make the object in the tool",
  });
}
