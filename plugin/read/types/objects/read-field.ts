import { ts } from "ts-morph";
import type { FieldModel } from "../../../model/type.ts";
import { descriptionOf, plainText } from "../../comments/doc-text.ts";
import { docOf, isOwnFile, placeOf, positionOf, report } from "../../base/reading.ts";
import { stubText } from "../../base/edits.ts";
import type { Doc } from "../../base/tsdoc.ts";
import { checkLocalPath } from "../written/local-path.ts";
import { accepts } from "../../constraints/accepts.ts";
import { applyFieldTags } from "../../constraints/field-tags.ts";
import { withInitializer } from "../../constraints/initializer.ts";
import { checkSymbolKey } from "./symbol-keys.ts";
import { reportDecorators } from "./foreign-decorators.ts";
import { isLeftOut, isPhantomProperty } from "../phantom-property.ts";
import { splitUndefined } from "../written/split-undefined.ts";
import { narrowingTags, withTypeTexts } from "../written/apply-layers.ts";
import { originOf, typeNode, type PropertyOrigin } from "./mapped-property.ts";
import { docAt } from "../written/kept-type.ts";
import { isMapped } from "../written/property-source.ts";
import { noBindings } from "../written/type-bindings.ts";
import { propertyDocs, type PropertyDoc } from "../written/property-docs.ts";
import type { Bindings, Site, TypeContext } from "../../base/type-context.ts";
import { isSchemaData } from "../schema-urn.ts";
import { leaveOut, unsupported } from "../unsupported.ts";
import { typiaTags, type ValueTag } from "../../constraints/typia-tags.ts";

/**
 * Reads a property as a field; `undefined` for a property that is not data: a method of a class, a private member, a
 * brand.
 */
export function readField(
  context: TypeContext,
  owner: ts.Type,
  property: ts.Symbol,
  around: Site,
): FieldModel | undefined {
  const { reading } = context;
  const key = property.name;
  const declaration = property.valueDeclaration ?? property.declarations?.[0];
  if (
    (key === "$schema" && !isSchemaData(context, property, around)) ||
    (declaration !== undefined && isLeftOut(declaration))
  )
    return undefined;
  const written = declaration === undefined ? undefined : docOf(declaration);
  if (written?.tags.some((tag) => tag.name === "internal") === true) return undefined;
  if (isPhantomProperty(property)) {
    if (declaration !== undefined) checkSymbolKey(reading, owner, declaration);
    return undefined;
  }
  const type = reading.checker.getTypeOfSymbol(property);
  const split = splitUndefined(type);
  if (
    split.type === undefined &&
    (property.flags & ts.SymbolFlags.Optional || (type.flags & ts.TypeFlags.Undefined) !== 0)
  )
    return { key, type: { kind: "never" }, optional: true };
  if (declaration !== undefined) reading.touched.add(declaration.getSourceFile());

  const own = declaration !== undefined && isOwnFile(reading, declaration.getSourceFile());
  const node = declaration === undefined ? undefined : typeNode(declaration);
  const bindings = around.bindings ?? noBindings;
  const origin = originOf(context, property, bindings);
  const { place: kept = "whole" } = origin;
  const docs = propertyDocs(context, property, bindings).map((one) => ({ ...one, doc: docAt(kept, one.doc) }));
  if (own && node === undefined && !isMapped(property)) reading.inferred = true;
  const name = own ? nameNode(declaration) : undefined;
  const place = own ? placeOf(node ?? name ?? declaration) : around.place;
  const path = own || around.path === undefined ? key : `${around.path}.${key}`;
  if (own) reportDecorators(reading, declaration);
  const site: Site = {
    place,
    subject: `Field \`${path}\``,
    path,
    ...(!own && around.path !== undefined && { foreign: true }),
    mayMiss: true,
    nodes: node === undefined ? around.nodes : [node, ...around.nodes],
    hint: key,
    bindings: bindingsOf(origin, around.bindings),
    overrides: origin.narrow ? narrowingTags(docs) : new Set(),
    isField: true,
  };
  if (key === "__proto__") {
    report(reading, {
      code: "TN313",
      place: name === undefined ? place : placeOf(name),
      message: "A field cannot be called `__proto__`.",
      fix: "choose another name",
    });
    return undefined;
  }
  if (property.flags & ts.SymbolFlags.Method) {
    unsupported(context, type, { ...site, place: name === undefined ? place : placeOf(name) }, leaveOut);
    return undefined;
  }
  const read = context.read(type, origin.node, site);
  let field: FieldModel = {
    key,
    type: read,
    ...((property.flags & ts.SymbolFlags.Optional) !== 0 || split.optional ? { optional: true as const } : {}),
  };
  field = withTypiaTags(context, withTypeTexts(field), type, { site, own: own || declaration === undefined });
  field = withDocs(context, field, docs, site, origin);
  const before = field;
  if (own && context.isRequest && !isMapped(property)) field = withInitializer(context, field, declaration, site);
  if (own && name !== undefined) {
    const at = positionOf(reading, placeOf(name));
    if (before.optional !== true && field.default !== before.default) context.initialised.add(at);
    field = { ...field, at };
    if (context.isRequest) {
      noteText(context, owner, field, { name, doc: written, isOwn: docs.some(({ doc }) => doc.summary !== "") });
      checkLocalPath(reading, field, placeOf(name));
    }
  }
  return field;
}

function bindingsOf({ inside }: PropertyOrigin, bindings: Bindings = new Map()): Bindings {
  return inside === undefined ? bindings : new Map([...bindings, [inside.key, { node: inside.node, bindings }]]);
}

/** Adds comments to a field: those of all its declarations, which take precedence over those of its type. */
function withDocs(
  context: TypeContext,
  field: FieldModel,
  docs: readonly PropertyDoc[],
  site: Site,
  { narrow }: PropertyOrigin,
): FieldModel {
  const { reading } = context;
  let result = field;
  if (narrow && docs.some(({ doc }) => doc.tags.some((tag) => tag.name === "example"))) {
    const { examples: _examples, ...rest } = field;
    result = rest;
  }
  let hasText = false;
  for (const { doc, declaration } of docs) {
    const own = isOwnFile(reading, declaration.getSourceFile());
    if (own && narrow) context.ledger.meet(declaration, doc);
    const place = own ? placeOf(declaration) : site.place;
    result = applyFieldTags(context, result, doc, { ...site, place }, { own, narrow, at: declaration });
    const description = own ? descriptionOf(reading, doc, place) : plainText(reading, doc.summary, site.place);
    if (description !== "" && !hasText) result = { ...result, description };
    hasText ||= description !== "";
  }
  return result;
}

/** A field, and its type as it was written. */
interface WrittenField {
  readonly name: ts.Node;
  readonly doc: Doc | undefined;
  /** True if the field itself has a text; false if only its type has one. */
  readonly isOwn: boolean;
}

/**
 * Records whether a field of a request has a text, because agents fill in requests by these texts. A `@param` of the
 * tool can provide the text later.
 */
function noteText(context: TypeContext, owner: ts.Type, field: FieldModel, written: WrittenField): void {
  if (field.at === undefined) return;
  if (written.isOwn) context.withText.add(field.at);
  // Fields with a literal are skipped: a literal needs no description.
  if (field.description !== undefined || field.title !== undefined || field.type.kind === "literal") return;
  const { name } = written;
  const of = owner.aliasSymbol?.name ?? owner.getSymbol()?.name;
  const where = of === undefined || of.startsWith("__") ? "" : ` of \`${of}\``;
  context.withoutText.set(field.at, {
    code: "TN203",
    place: placeOf(name),
    message: `Field \`${field.key}\`${where} has no text.`,
    fix: "write a comment above it: `/** What callers give here. */`",
    edit: stubText(name.parent, written.doc, "What callers give here."),
  });
}

function withTypiaTags(
  context: TypeContext,
  field: FieldModel,
  type: ts.Type,
  { site, own }: { readonly site: Site; readonly own: boolean },
): FieldModel {
  const tags = typiaTags(context.reading.checker, type).filter(
    (tag): tag is ValueTag => (tag.kind === "default" && own) || tag.kind === "example",
  );
  const fitting = tags.filter((tag) => {
    const fits = accepts(field.type, tag.value, context.definitions);
    const message = `The ${tag.kind} \`${JSON.stringify(tag.value)}\` does not fit ${site.subject.replace(/^F/, "f")}.`;
    if (!fits) report(context.reading, { code: "TN312", place: site.place, message });
    return fits;
  });
  const standard = fitting.find((tag) => tag.kind === "default");
  const examples = fitting.flatMap((tag) => (tag.kind === "example" ? [tag.value] : []));
  return {
    ...field,
    ...(standard === undefined ? {} : { optional: true as const, default: standard.value }),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function nameNode(declaration: ts.Declaration): ts.Node | undefined {
  return ts.getNameOfDeclaration(declaration);
}
