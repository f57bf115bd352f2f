import { ts } from "ts-morph";
import type { FieldModel, TypeModel, TypeTexts } from "../../../model/type.ts";
import { checkTag } from "../../comments/check-tag.ts";
import { descriptionOf, plainText, tagPlace } from "../../comments/doc-text.ts";
import { applyFieldTags } from "../../constraints/field-tags.ts";
import { isOwnFile, placeOf, report } from "../../base/reading.ts";
import { constraintTags } from "../../base/tag-names.ts";
import type { Site, TypeContext } from "../../base/type-context.ts";
import { shortText, type Layer } from "./written.ts";

/** Properties that a field takes from its type, if the type is the field's whole type. */
type Brought = TypeTexts & Pick<FieldModel, "default" | "header">;

/** Names of the tags in comments that narrow values. */
export function narrowingTags(layers: readonly Pick<Layer, "doc">[]): ReadonlySet<string> {
  return new Set(
    layers.flatMap(({ doc }) => doc.tags.map((tag) => tag.name).filter((name) => constraintTags.has(name))),
  );
}

/** Applies the comments around a type, outermost first: tags at the use override those of the type. */
export function applyLayers(
  context: TypeContext,
  type: ts.Type,
  model: TypeModel,
  layers: readonly Layer[],
  site: Site,
): TypeModel {
  let result = model;
  for (const [index, layer] of [...layers.entries()].toReversed()) {
    const overrides = new Set([...(site.overrides ?? []), ...narrowingTags(layers.slice(0, index))]);
    result = applyLayer(context, type, result, layer, { ...site, overrides });
  }
  return result;
}

function applyLayer(context: TypeContext, type: ts.Type, model: TypeModel, layer: Layer, site: Site): TypeModel {
  if (model.kind !== "ref") return narrowed(context, model, layer, site, true);
  const name = context.named.get(type)?.find((named) => named.name === model.name);
  // A named object keeps the texts of its own name, and gets no constraints.
  if (name?.symbol !== undefined) return narrowed(context, model, layer, site, name.symbol !== layer.symbol);
  if (layer.symbol !== undefined && layer.symbol === type.aliasSymbol) {
    if (context.open.has(type) || context.layered.has(model.name)) {
      for (const tag of layer.doc.tags) context.ledger.settle(layer.use, tag, "used");
      return model;
    }
    context.layered.add(model.name);
    const definition = context.definitions.get(model.name);
    if (definition !== undefined)
      context.definitions.set(model.name, narrowed(context, definition, layer, { ...site, overrides: none }, true));
    return model;
  }
  const definition = context.definitions.get(model.name);
  const isNarrower = narrowingTags([layer]).size > 0 && definition !== undefined && !context.open.has(type);
  return narrowed(context, isNarrower ? definition : model, layer, site, true);
}

const none: ReadonlySet<string> = new Set();

function narrowed(context: TypeContext, model: TypeModel, layer: Layer, site: Site, withTexts: boolean): TypeModel {
  const { reading } = context;
  const { declaration, doc, use, subject } = layer;
  const own = isOwnFile(reading, declaration.getSourceFile());
  const place = own ? placeOf(declaration) : site.place;
  const tags = doc.tags.filter((tag) => {
    if (site.overrides?.has(tag.name) === true) context.ledger.settle(use, tag, "used");
    // Texts of a package's generic types are left out: they describe the helper type, not the data.
    else if (!own && isGeneric(declaration)) return constraintTags.has(tag.name);
    else if (withTexts || !(tag.name === "title" || tag.name === "deprecated")) return true;
    return false;
  });
  const field = applyFieldTags(
    context,
    { key: "", type: model },
    { ...doc, tags },
    { ...site, place, subject },
    { own, narrow: true, at: use, on: site.isField === true ? "type of a field" : "type" },
  );
  const description = own ? descriptionOf(reading, doc, place) : packageText(context, layer, site);
  const { key: _key, type, optional: _optional, ...texts } = field;
  return { ...type, ...texts, ...(withTexts && description !== "" && { description }) };
}

/**
 * Returns the comment of a package's alias. Comments of generic aliases are left out, since they describe the helper
 * type and not the data.
 */
function packageText({ reading }: TypeContext, { declaration, doc }: Layer, site: Site): string {
  return isGeneric(declaration) ? "" : plainText(reading, doc.summary, site.place);
}

function isGeneric(declaration: ts.Node): boolean {
  return ts.isTypeAliasDeclaration(declaration) && declaration.typeParameters !== undefined;
}

/** Adds the texts of its type to a field. The field's own comment is applied later and takes precedence. */
export function withTypeTexts(field: FieldModel): FieldModel {
  const { type } = field;
  if (type.kind === "object") return field;
  const { title, description, deprecated, examples, default: standard, header, ...bare } = type as TypeModel & Brought;
  return {
    ...field,
    type: bare,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    ...(standard !== undefined && { optional: true as const, default: standard }),
    ...(examples !== undefined && { examples }),
    ...(header !== undefined && { header }),
  };
}

/** Reports every tag that was found and is not in the schema, so that none is ignored silently. */
export function reportLostTags(context: TypeContext, hasErrors: boolean): void {
  for (const { at, tag } of context.ledger.lost()) {
    context.ledger.settle(at, tag, "refused");
    // Comments with errors are skipped, since a comment that was refused as a whole has a diagnostic already.
    if (hasErrors || !isOwnFile(context.reading, at.getSourceFile())) continue;
    const place = placeOf(at);
    if (checkTag(context.reading, tag, placeOf(at), false)) continue;
    const isThere = at.getFullStart() <= tag.start && tag.start < at.getEnd();
    const isInferred = ts.isExpression(at) && !ts.isTypeNode(at);
    report(context.reading, {
      code: "TN110",
      place: isThere ? tagPlace(tag, place) : place,
      message: isThere
        ? `\`@${tag.name}\` has no effect here.`
        : `\`@${tag.name}\` of \`${shortText(at)}\` has no effect here: ${isInferred ? "an inferred type forgets it" : "what is made of it is another type, or a wider one"}.`,
      fix: isInferred
        ? "write the type of the result, or of the value, with the alias that has the tag"
        : "put the tag on the field, or on the type that the field has in the end",
    });
  }
}
