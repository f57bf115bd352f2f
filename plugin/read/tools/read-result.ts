import { ts } from "ts-morph";
import type { ResultModel } from "../../model/tool.ts";
import type { TypeModel } from "../../model/type.ts";
import { tagText } from "../comments/doc-text.ts";
import type { Doc } from "../base/tsdoc.ts";
import { isOwnFile, placeOf, report, type Place } from "../base/reading.ts";
import { tenonSymbol } from "../base/tenon-symbols.ts";
import { objectOf } from "../types/unions/make-union.ts";
import { mappedValue } from "../types/mapped-value.ts";
import { platformType } from "../types/platform-types.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { meetInferred } from "../types/written/inferred-values.ts";
import { promised, returnedValues, writtenForValue } from "../types/written/written-values.ts";

export interface ResultReading {
  readonly result: ResultModel;
  readonly site: Site;
  readonly type?: ts.Type;
}

/** Reads the result type of a tool, and the form in which it is sent. A promise is replaced by its value. */
export function readResult(
  context: TypeContext,
  signature: ts.Signature,
  doc: Doc | undefined,
  fallback: Place,
): ResultReading {
  const { checker } = context.reading;
  const written = signature.declaration?.type;
  const node = written === undefined || !ts.isTypeNode(written) ? undefined : promised(written);
  if (node === undefined) context.reading.inferred = true;
  const own = node !== undefined && isOwnFile(context.reading, node.getSourceFile());
  const site: Site = {
    place: own ? placeOf(node) : fallback,
    subject: "The result",
    nodes: node === undefined ? [] : [node],
    hint: "Result",
  };
  const returned = signature.getReturnType();
  if (isGenerator(context, signature, returned)) {
    report(context.reading, {
      code: "TN115",
      place: site.place,
      message: "The tool is a generator, and a tool gives one result.",
      fix: "report progress with `job.report`, and return the whole result",
    });
    return { result: { kind: "none" }, site };
  }
  const type = mayBePromise(checker, returned) ? (checker.getAwaitedType(returned) ?? returned) : returned;
  if (type.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never))
    return { result: { kind: "none" }, site };
  if (tenonSymbol(context.reading, type.getSymbol()) === "BinaryResult") return { result: { kind: "binary" }, site };
  if (isContent(context, type)) return { result: { kind: "content" }, site };
  const platform = platformType(context.reading, (mappedValue(context.reading, type) ?? type).getSymbol());
  if (platform?.kind === "bytes" || platform?.kind === "buffer") return { result: { kind: "bytes" }, site };
  const model = withReturnsText(
    context,
    context.read(type, node ?? inferredNode(context, signature, type), site),
    doc,
    fallback,
  );
  const urn = objectOf(model, context.definitions)?.urn;
  return {
    result: { kind: isText(model) ? "text" : "json", type: model, ...(urn === undefined ? {} : { urn }) },
    site,
    type,
  };
}

/** False for an object without `then`. Decided cheaply, without a full check by the compiler. */
function mayBePromise(checker: ts.TypeChecker, type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Object) === 0 || checker.getPropertyOfType(type, "then") !== undefined;
}

/**
 * Finds the type annotation of the returned value if the function itself has no result type, for example that of the
 * variable which it returns.
 */
function inferredNode(context: TypeContext, signature: ts.Signature, type: ts.Type): ts.TypeNode | undefined {
  const { declaration } = signature;
  const values = declaration === undefined ? [] : returnedValues(declaration);
  const nodes = values.map((value) => writtenForValue(context, value, type)?.node);
  const [first] = nodes;
  if (nodes.every((one) => one?.getText() === first?.getText()) && first !== undefined) return first;
  for (const value of values) meetInferred(context, value, type);
  return undefined;
}

/** Adds the text of `@returns` to a result whose type has no text of its own. */
function withReturnsText(context: TypeContext, type: TypeModel, doc: Doc | undefined, fallback: Place): TypeModel {
  const tag = doc?.tags.find(({ name }) => name === "returns" || name === "return");
  const own = type.description ?? objectOf(type, context.definitions)?.description;
  if (tag === undefined || own !== undefined) return type;
  const description = tagText(context.reading, { ...tag, text: tag.text.replace(/^\{[^}]*\}\s*/, "") }, fallback);
  return description === "" ? type : { ...type, description };
}

/** True for `Content` and `Message`, also in lists and beside strings. */
function isContent(context: TypeContext, type: ts.Type): boolean {
  const { checker } = context.reading;
  const parts = new Set<"content" | "string" | "other">();
  const visit = (part: ts.Type, inList: boolean): void => {
    if (part.isUnion()) part.types.forEach((member) => visit(member, inList));
    else if (!inList && (checker.isArrayType(part) || checker.isTupleType(part)))
      checker.getTypeArguments(part as ts.TypeReference).forEach((item) => visit(item, true));
    else if (contentTypes.has(tenonSymbol(context.reading, part.getSymbol()) ?? "")) parts.add("content");
    else parts.add((part.flags & ts.TypeFlags.StringLike) === 0 ? "other" : "string");
  };
  visit(type, false);
  return parts.has("content") && !parts.has("other");
}

const contentTypes: ReadonlySet<string> = new Set(["Content", "Message"]);

function isGenerator(context: TypeContext, signature: ts.Signature, returned: ts.Type): boolean {
  const declaration = signature.declaration;
  if (
    declaration !== undefined &&
    (ts.isFunctionDeclaration(declaration) || ts.isFunctionExpression(declaration)) &&
    declaration.asteriskToken !== undefined
  )
    return true;
  const name = returned.getSymbol()?.name ?? "";
  return (
    /^(Async)?(Generator|IterableIterator|Iterator|Iterable)$/.test(name) &&
    platformType(context.reading, returned.getSymbol()) !== undefined
  );
}

/** A string is sent as text, not as JSON. */
function isText(type: TypeModel): boolean {
  if (type.kind === "literal") return typeof type.value === "string";
  return type.kind === "string" || type.kind === "template" || (type.kind === "union" && type.members.every(isText));
}
