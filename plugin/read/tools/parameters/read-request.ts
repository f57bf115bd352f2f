import { ts } from "ts-morph";
import type { ParameterModel, RequestModel } from "../../../model/tool.ts";
import { withDefaults } from "./parameter-defaults.ts";
import { isJob, isRest, parameterOf, type Parameter } from "./parameter.ts";
import { paramTexts, withParamTexts, withRootText, type ParamTexts } from "./param-texts.ts";
import { readPositional } from "./read-positional.ts";
import { docOf, isOwnFile, placeOf, report, type Place } from "../../base/reading.ts";
import { tenonSymbol } from "../../base/tenon-symbols.ts";
import type { Doc, DocTag } from "../../base/tsdoc.ts";
import { objectOf } from "../../types/unions/make-union.ts";
import { mappedValue } from "../../types/mapped-value.ts";
import { platformType } from "../../types/platform-types.ts";
import { splitUndefined } from "../../types/written/split-undefined.ts";
import type { Site, TypeContext } from "../../base/type-context.ts";

export interface RequestReading {
  readonly parameters: readonly ParameterModel[];
  readonly request?: RequestModel;
  /** The place of the request's type, for findings about its model. */
  readonly site?: Site;
  readonly type?: ts.Type;
  /** Tags in the tool's comment that describe fields. */
  readonly tags: ReadonlySet<DocTag>;
}

/** Reads the parameters of a tool: one request object, or positional data combined into a request, and the job. */
export function readRequest(
  context: TypeContext,
  signature: ts.Signature,
  doc: Doc | undefined,
  fallback: Place,
): RequestReading {
  const { reading } = context;
  const parameters = signature.getParameters().map((symbol) => parameterOf(context, symbol, fallback));
  const jobs = parameters.filter((parameter) => isJob(context, parameter));
  const [, second] = jobs;
  if (second !== undefined)
    report(reading, {
      code: "TN114",
      place: second.place,
      message: "A tool takes one `JobContext`.",
      fix: "remove this parameter",
    });
  checkThis(context, signature);
  const texts = paramTexts(context, parameters, doc, fallback);
  const data = parameters.filter((parameter) => !jobs.includes(parameter));
  const [only] = data;
  if (only === undefined) return { parameters: jobs.map(() => ({ kind: "job" })), tags: texts.used };
  if (data.length === 1 && isModel(context, only)) {
    const order = parameters.map((parameter): ParameterModel => ({
      kind: jobs.includes(parameter) ? "job" : "request",
    }));
    return { parameters: order, ...readModel(context, only, texts), tags: texts.used };
  }
  const order = parameters.map((parameter): ParameterModel => {
    if (jobs.includes(parameter)) return { kind: "job" };
    const key = parameter.symbol.name;
    return isRest(parameter) ? { kind: "field", key, rest: true } : { kind: "field", key };
  });
  const fields = data.flatMap((parameter) => {
    const field = readPositional(context, parameter, doc);
    for (const { path, tags } of texts.of.get(parameter.symbol) ?? [])
      if (path.length === 0) tags.forEach((tag) => texts.used.add(tag));
    return field === undefined ? [] : { ...field, type: withParamTexts(context, field.type, parameter, texts) };
  });
  return { parameters: order, request: { type: { kind: "object", fields }, synthesised: true }, tags: texts.used };
}

/** The only parameter is the request itself if its JSON form is an object. */
function isModel(context: TypeContext, parameter: Parameter): boolean {
  const type = splitUndefined(parameter.type).type;
  if (type === undefined || isRest(parameter)) return false;
  return (
    isObjectModel(context, type) || (type.isUnion() && type.types.every((member) => isObjectModel(context, member)))
  );
}

function isObjectModel(context: TypeContext, type: ts.Type): boolean {
  const { checker } = context.reading;
  if (type.isIntersection()) return type.types.every((member) => isObjectModel(context, member));
  if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) === 0) return false;
  if (checker.isArrayType(type) || checker.isTupleType(type) || type.getCallSignatures().length > 0) return false;
  return (
    platformType(context.reading, type.getSymbol()) === undefined &&
    mappedValue(context.reading, type) === undefined &&
    tenonSymbol(context.reading, type.getSymbol()) !== "BinaryResult"
  );
}

function readModel(
  context: TypeContext,
  parameter: Parameter,
  texts: ParamTexts,
): Pick<RequestReading, "request" | "site" | "type"> {
  const { declaration } = parameter;
  if (declaration !== undefined) meetComments(context, declaration);
  const site: Site = {
    place: parameter.place,
    subject: "The request",
    mayMiss: true,
    nodes: declaration?.type === undefined ? [] : [declaration.type],
    hint: "Request",
  };
  const split = splitUndefined(parameter.type);
  const read = context.read(split.type ?? parameter.type, declaration?.type, site);
  if (read.kind === "union" || (read.kind === "ref" && context.definitions.get(read.name)?.kind === "union")) {
    report(context.reading, {
      code: "TN315",
      place: parameter.place,
      message: "The request is a union, and a request is one object.",
      fix: "take an object with a field that holds the union",
    });
    return {};
  }
  const object = objectOf(read, context.definitions);
  if (object === undefined) return { request: { type: { kind: "object", fields: [] } } };
  const type =
    declaration !== undefined && ts.isObjectBindingPattern(declaration.name)
      ? withDefaults(context, read, object, declaration.name)
      : read;
  const withTexts = withRootText(context, withParamTexts(context, type, parameter, texts), parameter, texts);
  return {
    request: { type: withTexts, ...(object.urn === undefined ? {} : { urn: object.urn }) },
    site,
    ...(split.type === undefined ? {} : { type: split.type }),
  };
}

/**
 * Records tags in front of a parameter that is the request, or in front of names in its pattern. They have no effect
 * there, since they belong on the fields of its type.
 */
function meetComments(context: TypeContext, node: ts.ParameterDeclaration | ts.BindingElement): void {
  const doc = isOwnFile(context.reading, node.getSourceFile()) ? docOf(node) : undefined;
  if (doc !== undefined) context.ledger.meet(node, doc);
  if (ts.isObjectBindingPattern(node.name)) for (const element of node.name.elements) meetComments(context, element);
}

function checkThis(context: TypeContext, signature: ts.Signature): void {
  const declared = signature.declaration as ts.SignatureDeclaration | undefined;
  const node = declared?.parameters.find((parameter) => parameter.name.getText() === "this");
  if (node === undefined || node.type === undefined || node.type.kind === ts.SyntaxKind.VoidKeyword) return;
  report(context.reading, {
    code: "TN114",
    place: placeOf(node),
    message: "A tool is called without `this`.",
    fix: "remove it",
  });
}
