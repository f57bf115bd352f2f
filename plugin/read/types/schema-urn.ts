import { ts } from "ts-morph";
import { tagPlace } from "../comments/doc-text.ts";
import { docOf, isOwnFile, placeOf, report, type Place } from "../base/reading.ts";
import { tenonName, tenonSymbol } from "../base/tenon-symbols.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import type { TypeName } from "./type-names.ts";

interface Marker {
  readonly urn: string;
  readonly place: Place;
}

/** Reads the schema URN of an object, from any of the four markers. */
export function schemaUrn(
  context: TypeContext,
  type: ts.Type,
  name: TypeName | undefined,
  site: Site,
): { urn?: string; urnDeclared?: true } {
  const found = type.getProperty("$schema");
  const property = found === undefined || isSchemaData(context, found, site) ? undefined : found;
  const markers: Marker[] = [];
  let required = false;
  if (property !== undefined) {
    const value = context.reading.checker.getTypeOfSymbol(property);
    const members = value.isUnion()
      ? value.types.filter((member) => (member.flags & ts.TypeFlags.Undefined) === 0)
      : [value];
    const declaration = property.valueDeclaration;
    const written = declaration !== undefined && isAuthors(context, declaration);
    const place = written ? placeOf(declaration) : site.place;
    const [only] = members;
    required =
      (property.flags & ts.SymbolFlags.Optional) === 0 && members.length === (value.isUnion() ? value.types.length : 1);
    if (members.length === 1 && only?.isStringLiteral() === true) {
      markers.push({ urn: only.value, place });
    } else {
      markers.push({ urn: unusable, place });
      report(context.reading, {
        code: "TN207",
        place,
        message: "`$schema` must be one string literal, the schema URN.",
        fix: 'write the URN as its type, for example `$schema: "urn:example:schema.user.1"`',
      });
    }
  }
  // `WithSchema` around a model with a URN of its own makes another model, with another URN.
  const wrapped = tenonSymbol(context.reading, type.aliasSymbol) === "WithSchema";
  for (const declaration of wrapped ? [] : (name?.symbol.declarations ?? [])) {
    for (const marker of declaredMarkers(context, declaration)) {
      markers.push(marker);
      checkUnique(context, marker, name?.symbol);
    }
  }
  const [first] = markers;
  if (first === undefined) return {};
  for (const marker of markers) checkUrn(context, marker);
  const other = markers.find((marker) => marker.urn !== first.urn);
  if (other !== undefined) {
    report(context.reading, {
      code: "TN208",
      place: other.place,
      message: `The model has two schema URNs, \`${first.urn}\` and \`${other.urn}\`.`,
      fix: "keep one",
    });
  }
  return { urn: first.urn, ...(required ? { urnDeclared: true as const } : {}) };
}

/**
 * True when a property `$schema` is plain data, as in a field with a JSON Schema or a Vega-Lite chart. Inside of
 * another model, only the literal of a URN marks a model.
 */
export function isSchemaData(context: TypeContext, property: ts.Symbol, site: Site): boolean {
  if (!/^(?:Field|Parameter)\b/.test(site.subject)) return false;
  const value = context.reading.checker.getTypeOfSymbol(property);
  const members = value.isUnion() ? value.types : [value];
  return !members.some((member) => member.isStringLiteral() && isUrn(member.value));
}

/** URN in place of a refused one, so that the model is not also reported as lacking a URN. */
const unusable = "urn:tenon:unusable";

function isAuthors(context: TypeContext, declaration: ts.Declaration): boolean {
  const file = declaration.getSourceFile();
  return isOwnFile(context.reading, file) && context.reading.packageOf(file) !== "tenon";
}

/** Reports a URN that two models of a module share, since callers could not distinguish the models. */
function checkUnique(context: TypeContext, marker: Marker, symbol: ts.Symbol | undefined): void {
  const { urns } = context.reading;
  const other = urns.get(marker.urn)?.symbol;
  if (other === undefined && symbol !== undefined) urns.set(marker.urn, { symbol, place: marker.place });
  if (other === undefined || other === symbol || symbol === undefined) return;
  report(context.reading, {
    code: "TN208",
    place: marker.place,
    message: `\`${symbol.name}\` has the schema URN of \`${other.name}\`.`,
    fix: "give it one of its own",
  });
}

function declaredMarkers(context: TypeContext, declaration: ts.Declaration): readonly Marker[] {
  const markers: Marker[] = [];
  for (const tag of docOf(declaration)?.tags ?? []) {
    if (tag.name === "schema")
      markers.push({ urn: tag.text.split(/\s/)[0] ?? "", place: tagPlace(tag, placeOf(declaration)) });
  }
  if (!ts.isClassDeclaration(declaration)) return markers;
  for (const decorator of ts.getDecorators(declaration) ?? []) {
    const call = decorator.expression;
    if (!ts.isCallExpression(call) || tenonName(context.reading, call.expression) !== "withSchema") continue;
    const [argument] = call.arguments;
    if (argument !== undefined && ts.isStringLiteralLike(argument))
      markers.push({ urn: argument.text, place: placeOf(argument) });
    else {
      markers.push({ urn: unusable, place: placeOf(decorator) });
      report(context.reading, {
        code: "TN207",
        place: placeOf(decorator),
        message: "`@withSchema` takes the schema URN as a string literal.",
        fix: 'write `@withSchema("urn:example:schema.user.1")`',
      });
    }
  }
  return markers;
}

/** Matches URNs in the syntax of RFC 8141, without the parts that schema URNs do not need. */
const urnPattern = /^urn:[a-z0-9][a-z0-9-]{0,31}:[a-z0-9()+,\-.:=@;$_!*'%/]+$/i;

/** True for a URN. */
export function isUrn(text: string): boolean {
  return urnPattern.test(text);
}

function checkUrn(context: TypeContext, marker: Marker): void {
  if (isUrn(marker.urn)) return;
  const message = marker.urn === "" ? "`@schema` has no URN." : `\`${marker.urn}\` is not a URN.`;
  report(context.reading, {
    code: "TN207",
    place: marker.place,
    message,
    fix: "write it as `urn:<namespace>:<name>`, for example `urn:example:schema.user.1`",
  });
}
