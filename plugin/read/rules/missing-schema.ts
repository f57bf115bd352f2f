import { ts } from "ts-morph";
import type { ObjectType, TypeModel } from "../../model/type.ts";
import { lastTag } from "../../diagnostics/last-tag.ts";
import { commentAbove } from "../base/edits.ts";
import { docOf, isOwnFile, placeOf, report } from "../base/reading.ts";
import { objectOf } from "../types/unions/make-union.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { nameOf } from "../types/type-names.ts";
import { typeText } from "../types/unsupported.ts";

export interface Model {
  readonly type: TypeModel;
  readonly urn?: string;
}

/**
 * Adds the URN to a request or result model. A model without a URN breaks the rule; if the rule is relaxed, the URN is
 * derived from the names of the project and the type.
 */
export function withUrn(
  context: TypeContext,
  type: TypeModel,
  source: ts.Type | undefined,
  site: Site,
  tool: string,
): Model {
  const object = objectOf(type, context.definitions);
  if (object === undefined) return { type };
  if (object.urn !== undefined) return { type, urn: object.urn };
  const name = type.kind === "ref" ? type.name : undefined;
  const urn = derivedUrn(context.reading.namespace, name ?? `${tool}-${context.isRequest ? "request" : "result"}`);
  reportMissing(context, source, site, urn);
  const level = context.reading.rules["missing-schema"] ?? "error";
  if (level === "error") return { type };
  const marked: ObjectType = { ...object, urn };
  if (type.kind !== "ref") return { type: marked, urn };
  context.definitions.set(type.name, marked);
  return { type, urn };
}

/**
 * Derives a URN from a type's name: for `PrimeRequest` in the namespace `acme`, it is
 * `urn:acme:schema.prime.request.1`.
 */
function derivedUrn(namespace: string, name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1-$2")
    .replace(/[^\p{ID_Continue}]+/gu, "-")
    .toLowerCase();
  const ascii =
    words
      .normalize("NFKD")
      .replace(/[^a-z0-9-]+/g, "")
      .replace(/^-+|-+$/g, "") || "model";
  return `urn:${namespace}:schema.${ascii.replace(/-(request|result|response)$/, ".$1")}.1`;
}

function reportMissing(context: TypeContext, source: ts.Type | undefined, site: Site, urn: string): void {
  const { reading } = context;
  const name = source === undefined ? undefined : nameOf(context, source, undefined);
  const declaration = name?.symbol.declarations?.find((candidate) => isOwnFile(reading, candidate.getSourceFile()));
  if (name === undefined || declaration === undefined) {
    const written = source === undefined ? undefined : typeText(context, source);
    report(reading, {
      code: "TN201",
      place: site.place,
      message: `${site.subject} is an object without a schema URN.`,
      fix:
        name === undefined || written === undefined || written.endsWith("…")
          ? `give its type a name, and write above it: \`/** @schema ${urn} */\``
          : `write \`WithSchema<"${urn}", ${written}>\`, with \`import type { WithSchema } from "tenon"\``,
    });
    return;
  }
  const node = ts.getNameOfDeclaration(declaration) ?? declaration;
  const file = declaration.getSourceFile();
  const doc = docOf(declaration);
  const line = file.getLineAndCharacterOfPosition(declaration.getStart(file)).line + 1;
  report(reading, {
    code: "TN201",
    place: placeOf(node),
    message: `${site.subject} \`${name.symbol.name}\` has no schema URN.`,
    fix:
      doc !== undefined
        ? `add this line to its comment, or run \`tenon generate --fix\`: \` * @schema ${urn}\``
        : `add this line above line ${line}, or run \`tenon generate --fix\`: \`/** @schema ${urn} */\``,
    edit: doc === undefined ? commentAbove(declaration, `@schema ${urn}`) : lastTag(doc, file, `@schema ${urn}`),
  });
}
