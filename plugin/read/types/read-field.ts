import { ts } from "ts-morph";
import type { FieldModel } from "../../model/type.ts";
import { descriptionOf, plainText } from "../comments/doc-text.ts";
import { commentAbove, firstWords, todo } from "../base/edits.ts";
import { docOf, isOwnFile, placeOf, positionOf, report } from "../base/reading.ts";
import type { Doc } from "../base/tsdoc.ts";
import { checkLocalPath } from "./local-path.ts";
import { accepts } from "../constraints/accepts.ts";
import { applyFieldTags } from "../constraints/field-tags.ts";
import { withInitializer } from "../constraints/initializer.ts";
import { checkSymbolKey } from "./symbol-keys.ts";
import { isLeftOut, isPhantomProperty } from "./phantom-property.ts";
import { splitUndefined } from "./read-union.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { leaveOut, unsupported } from "./unsupported.ts";
import { typiaTags, type ValueTag } from "../constraints/typia-tags.ts";

/**
 * Reads a property as a field; `undefined` for a property that is not data: methods of classes, private members,
 * brands.
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
  if (key === "$schema" || (declaration !== undefined && isLeftOut(declaration))) return undefined;
  const doc = declaration === undefined ? undefined : docOf(declaration);
  if (doc?.tags.some((tag) => tag.name === "internal") === true) return undefined;
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
    return undefined;
  if (declaration !== undefined) reading.touched.add(declaration.getSourceFile());

  const own = declaration !== undefined && isOwnFile(reading, declaration.getSourceFile());
  const node = declaration === undefined ? undefined : typeNode(declaration);
  if (own && node === undefined && !isMapped(property)) reading.inferred = true;
  const name = own ? nameNode(declaration) : undefined;
  const place = own ? placeOf(node ?? name ?? declaration) : around.place;
  const site: Site = {
    place,
    subject: `Field \`${key}\``,
    mayMiss: true,
    nodes: node === undefined ? around.nodes : [node, ...around.nodes],
    hint: key,
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
  // A node that was written for another type (by a mapped type) does not describe this one.
  const exact = node !== undefined && !isMapped(property) ? node : undefined;
  const read = context.read(type, exact, site);
  let field: FieldModel = {
    key,
    type: read,
    ...((property.flags & ts.SymbolFlags.Optional) !== 0 || split.optional ? { optional: true as const } : {}),
  };
  field = withTypiaTags(context, field, type, site);
  if (doc !== undefined) {
    const docPlace = own ? placeOf(declaration) : around.place;
    field = applyFieldTags(
      context,
      field,
      doc,
      { ...site, place: docPlace },
      { own, narrow: declaration !== undefined && !retyped(context, property, declaration) },
    );
    const description = own ? descriptionOf(reading, doc, docPlace) : plainText(reading, doc.summary, around.place);
    if (description !== "") field = { ...field, description };
  }
  if (declaration !== undefined && context.isRequest && !isMapped(property))
    field = withInitializer(context, field, declaration, site);
  if (own && name !== undefined) {
    field = { ...field, at: positionOf(reading, placeOf(name)) };
    if (context.isRequest) {
      checkText(context, owner, field, { name, declaration, doc });
      checkLocalPath(reading, field, placeOf(name));
    }
  }
  return field;
}

/** The declaration of a field. */
interface WrittenField {
  readonly name: ts.Node;
  readonly declaration: ts.Declaration;
  readonly doc: Doc | undefined;
}

const stub = `${todo} callers give here.`;

/** Agents fill a request by the descriptions of its fields. */
function checkText(context: TypeContext, owner: ts.Type, field: FieldModel, written: WrittenField): void {
  // A literal needs no description.
  if (field.description !== undefined || field.title !== undefined || field.type.kind === "literal") return;
  const { name, declaration, doc } = written;
  const of = owner.aliasSymbol?.name ?? owner.getSymbol()?.name;
  const where = of === undefined || of.startsWith("__") ? "" : ` of \`${of}\``;
  report(context.reading, {
    code: "TN203",
    place: placeOf(name),
    message: `Field \`${field.key}\`${where} has no text.`,
    fix: "write a comment above it: `/** What callers give here. */`",
    edit: doc === undefined ? commentAbove(declaration, stub) : firstWords(doc, name.getSourceFile(), stub),
  });
}

function withTypiaTags(context: TypeContext, field: FieldModel, type: ts.Type, site: Site): FieldModel {
  const tags = typiaTags(context.reading.checker, type).filter(
    (tag): tag is ValueTag => tag.kind === "default" || tag.kind === "example",
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

function typeNode(declaration: ts.Declaration): ts.TypeNode | undefined {
  if (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration))
    return declaration.type;
  return ts.isGetAccessor(declaration) ? declaration.type : undefined;
}

function nameNode(declaration: ts.Declaration): ts.Node | undefined {
  return ts.getNameOfDeclaration(declaration);
}

function isMapped(property: ts.Symbol): boolean {
  const mappedFlag = 262_144;
  return (((property as { links?: { checkFlags?: number } }).links?.checkFlags ?? 0) & mappedFlag) !== 0;
}

/** True when a mapped type gave the field another type than its tags were written for. */
function retyped(context: TypeContext, property: ts.Symbol, declaration: ts.Declaration): boolean {
  if (!isMapped(property)) return false;
  const { checker } = context.reading;
  const name = ts.getNameOfDeclaration(declaration);
  const original = name === undefined ? undefined : checker.getSymbolAtLocation(name);
  if (original === undefined) return true;
  const before = splitUndefined(checker.getTypeOfSymbol(original));
  const after = splitUndefined(checker.getTypeOfSymbol(property));
  return (
    before.type === undefined ||
    after.type === undefined ||
    checker.typeToString(before.type) !== checker.typeToString(after.type).replace(/ \| undefined$/, "")
  );
}
