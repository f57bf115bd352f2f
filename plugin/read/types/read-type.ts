import { ts } from "ts-morph";
import { findUngrounded } from "../../model/find-ungrounded.ts";
import type { TypeModel } from "../../model/type.ts";
import { isOwnFile, positionOf, report, TypeTooLarge, UnresolvedInLean, type Reading } from "../base/reading.ts";
import { createTagLedger } from "../base/tag-ledger.ts";
import { applyLayers, narrowingTags } from "./written/apply-layers.ts";
import { modelText } from "./model-text.ts";
import { checkNames, isError } from "./check-names.ts";
import { createAmbiguity } from "./unions/ambiguous.ts";
import { createDiscriminators } from "./unions/make-union.ts";
import { readIntersection } from "./objects/read-intersection.ts";
import { readObjectLike } from "./objects/read-object-like.ts";
import { guarded, onceForField, onceForNode } from "./recursive-types.ts";
import { readMergedUnion, readUnion, soleLeaf, withoutUndefined } from "./unions/read-union.ts";
import { requireTags } from "./unions/require-tags.ts";
import { readTemplate } from "./template.ts";
import { checkInstances } from "./urn-instances.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { absentFix, holds, reportType, typeText, unsupported } from "./unsupported.ts";
import { layersOf } from "./written/layers-of.ts";

/**
 * Maximum number of parts in the types of one tool, where each member of a union counts. Larger types would take too
 * long to read, and callers could not use them.
 */
const mostParts = 500_000;

/** Creates a reader for the types of one tool; `finish` completes the parts that need all definitions. */
export function createTypeContext(reading: Reading, isRequest: boolean, shared?: TypeContext): TypeContext {
  const context: TypeContext = {
    reading,
    definitions: shared?.definitions ?? new Map(),
    names: shared?.names ?? new Map(),
    named: shared?.named ?? new Map(),
    open: new Map(),
    layered: shared?.layered ?? new Set(),
    ledger: shared?.ledger ?? createTagLedger(),
    bindings: shared?.bindings ?? new Map(),
    brought: shared?.brought ?? new Map(),
    unionsRead: new Map(),
    partsRead: new Map(),
    last: {},
    checked: shared?.checked ?? new Map(),
    stack: [],
    unions: shared?.unions ?? [],
    initialised: new Set(),
    withText: new Set(),
    withoutText: new Map(),
    isRequest,
    size: shared?.size ?? { parts: 0, endless: 0 },
    read: (type, node, site) => {
      context.size.parts += type.isUnion() ? type.types.length : 1;
      reading.progress?.(reading.tool ?? "", site.path ?? site.hint, context.size.parts);
      if (context.size.parts > mostParts) throw new TypeTooLarge(site.path ?? site.hint);
      return readType(context, type, node, site);
    },
  };
  return context;
}

/**
 * Reports unions that JSON cannot distinguish, fields without a text and URNs of several models, and completes
 * definitions. Call it once, after all types are read.
 */
export function finishTypes(context: TypeContext): void {
  requireTags(context);
  const ambiguousPair = createAmbiguity(context.definitions);
  for (const { union, site } of context.unions) {
    const pair = ambiguousPair(union.members);
    if (pair === undefined || isRefused(context, site)) continue;
    const [a, b] = pair.map(modelText);
    report(context.reading, {
      code: "TN305",
      place: site.place,
      message: `${site.subject} can be \`${a}\` or \`${b}\`, which JSON cannot tell apart.`,
      fix: "use one of them, or objects with a literal field that names the case",
    });
  }
  for (const finding of context.withoutText.values()) report(context.reading, finding);
  const ungrounded = findUngrounded(context.definitions);
  // This is an internal error of the reader, since TypeScript refuses such a type.
  if (ungrounded !== undefined) throw new Error(`The model of a type leads to itself: ${ungrounded.join(" → ")}.`);
  const withDiscriminators = createDiscriminators(context.definitions);
  for (const [name, type] of context.definitions) context.definitions.set(name, withDiscriminators(type));
  checkInstances(context);
}

/** True when a part of the type was refused, so that the rest is incomplete. */
function isRefused({ reading }: TypeContext, { place }: Site): boolean {
  const { file, line, column } = positionOf(reading, place);
  return reading.diagnostics.some(
    (one) =>
      /^TN30[12346]$/.test(one.code) &&
      one.level === "error" &&
      one.file === file &&
      one.line === line &&
      one.column === column,
  );
}

const opaqueName = (type: ts.Type): string | undefined => (type as { intrinsicName?: string }).intrinsicName;

/** Reads a type, with the comments of all type aliases through which it was written. */
function readType(context: TypeContext, whole: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel {
  const type = withoutUndefined(context, whole, site);
  if (node !== undefined && !checkNames(context, node, site)) return { kind: "unknown" };
  const layers = layersOf(context, type, node, site);
  const sole = node === undefined ? undefined : soleLeaf(context, type, node, site);
  const read = (at: Site): TypeModel =>
    sole === undefined
      ? readBare(context, type, node, at)
      : readType(context, type, sole.node, { ...at, bindings: sole.bindings });
  if (layers.length === 0) return read(site);
  const overrides = new Set([...(site.overrides ?? []), ...narrowingTags(layers)]);
  return applyLayers(context, type, read({ ...site, overrides }), layers, site);
}

function readBare(context: TypeContext, type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel {
  const { flags } = type;
  const merged = readMergedUnion(context, type, node, site);
  if (merged !== undefined) return merged;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return readUnknown(context, type, node, site);
  if (flags & ts.TypeFlags.String) return { kind: "string" };
  if (flags & ts.TypeFlags.Number) return { kind: "number" };
  if (flags & ts.TypeFlags.Boolean) return { kind: "boolean" };
  if (flags & ts.TypeFlags.BigInt) return { kind: "bigint" };
  if (type.isNumberLiteral() && !Number.isFinite(type.value)) return unsupported(context, type, site, "use `number`");
  if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: "literal", value: type.value };
  if (flags & ts.TypeFlags.BooleanLiteral) return { kind: "literal", value: opaqueName(type) === "true" };
  if (flags & ts.TypeFlags.Null) return { kind: "literal", value: null };
  if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never)) return readEmpty(context, type, site);
  if (flags & ts.TypeFlags.BigIntLiteral) return unsupported(context, type, site, "use `bigint`, or a string literal");
  if (flags & ts.TypeFlags.ESSymbolLike) return unsupported(context, type, site, "use `string`");
  if (flags & ts.TypeFlags.Enum && !type.isUnion())
    return unsupported(context, type, site, enumFix(context.reading, type));
  if (flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) return readTemplate(context, type, site);
  if (flags & ts.TypeFlags.NonPrimitive) return { kind: "object", fields: [], index: { kind: "unknown" } };
  if (flags & ts.TypeFlags.StructuredType)
    return onceForField(context, type, node, site, () => readStructure(context, type, node, site));
  return readOpenGeneric(context, type, node, site);
}

function readStructure(context: TypeContext, type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel {
  if (type.isUnion())
    return onceForNode(context, type, node, site, () =>
      guarded(context, type, node, site, () => readUnion(context, type, node, site)),
    );
  return type.isIntersection()
    ? readIntersection(context, type, node, site)
    : readObjectLike(context, type, node, site);
}

/**
 * Suggests the fix for an enum. A package's enum without declared values cannot be read, and the author cannot change
 * it.
 */
function enumFix(reading: Reading, type: ts.Type): string {
  const file = type.getSymbol()?.declarations?.[0]?.getSourceFile();
  return file === undefined || isOwnFile(reading, file)
    ? "give every member of the enum a constant value"
    : "its declaration has no values: write a union of its literals, such as `0 | 1`";
}

function readUnknown(context: TypeContext, type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel {
  const { reading } = context;
  const missing = isError(type);
  const written =
    node !== undefined && (node.kind === ts.SyntaxKind.AnyKeyword || node.kind === ts.SyntaxKind.UnknownKeyword);
  if (reading.canRetry && (missing || (reading.lean && !written))) throw new UnresolvedInLean();
  if (missing) {
    if (site.foreign === true || !alreadyReported(context, site)) {
      const text = node?.getText();
      reportType(context, site, {
        code: "TN302",
        message: `has ${text === undefined ? "a type that" : `type \`${text}\`, which`} cannot be found.`,
        ...(text !== undefined && { type: text }),
        fix: missingFix(context, node),
      });
    }
    return { kind: "unknown" };
  }
  const text = typeText(context, type);
  reportType(context, site, {
    code: "TN308",
    message: `${holds(site)} type \`${text}\`, which accepts every value.`,
    type: text,
    fix: "write the intended type",
  });
  return { kind: "unknown" };
}

/** Suggests the fix for a type that is not found. For a key that does not exist, the hint about imports is omitted. */
function missingFix({ reading: { checker } }: TypeContext, node: ts.TypeNode | undefined): string {
  if (node === undefined || !ts.isIndexedAccessTypeNode(node) || isError(checker.getTypeFromTypeNode(node.objectType)))
    return "check its import, and that its package is installed";
  const keys = checker
    .getPropertiesOfType(checker.getTypeFromTypeNode(node.objectType))
    .map(({ name }) => `\`${name}\``);
  const shown = keys.length > shownKeys ? [...keys.slice(0, shownKeys), "…"] : keys;
  return `\`${node.objectType.getText()}\` has no such key${keys.length === 0 ? "" : `: use one of ${shown.join(", ")}`}`;
}

const shownKeys = 8;

/** True when the unresolved name was already reported inside this place. */
function alreadyReported(context: TypeContext, site: Site): boolean {
  const { line, character } = site.place.file.getLineAndCharacterOfPosition(site.place.start);
  const end = character + 1 + site.place.end - site.place.start;
  return context.reading.diagnostics.some(
    (found) =>
      found.code === "TN302" &&
      found.line === line + 1 &&
      (found.column ?? 0) >= character + 1 &&
      (found.column ?? 0) <= end,
  );
}

function readEmpty(context: TypeContext, type: ts.Type, site: Site): TypeModel {
  const text = typeText(context, type);
  const fix = text === "never" ? "remove it, or write the intended type" : absentFix(site);
  reportType(context, site, {
    code: "TN304",
    message: `${holds(site)} type \`${text}\`, which has no JSON value.`,
    type: text,
    fix,
  });
  return { kind: "unknown" };
}

function readOpenGeneric(context: TypeContext, type: ts.Type, node: ts.TypeNode | undefined, site: Site): TypeModel {
  // `NoInfer<User>` is read as a `User`.
  if (type.flags & ts.TypeFlags.Substitution)
    return readType(context, (type as ts.SubstitutionType).baseType, node, site);
  const constraint =
    (type as { isThisType?: boolean }).isThisType === true
      ? context.reading.checker.getBaseConstraintOfType(type)
      : undefined;
  if (constraint !== undefined) return readType(context, constraint, node, site);
  return unsupported(context, type, site, "write the type that callers send");
}
