import { ts } from "ts-morph";
import type { ParameterModel, RequestModel } from "../model/tool.ts";
import type { FieldModel, ObjectType, TypeModel } from "../model/type.ts";
import { readConstant } from "./constants.ts";
import { tagPlace, tagText } from "./doc-text.ts";
import { lastTag, todo } from "./edits.ts";
import { isOwnFile, placeOf, positionOf, report } from "./reading.ts";
import type { Place } from "./reading.ts";
import { checkLocalPath } from "./rules/local-path.ts";
import { tenonName, tenonSymbol } from "./tenon-symbols.ts";
import type { Doc } from "./tsdoc.ts";
import { accepts } from "./types/accepts.ts";
import { objectOf } from "./types/make-union.ts";
import { platformType } from "./types/platform-types.ts";
import { splitUndefined } from "./types/read-union.ts";
import type { Site, TypeContext } from "./types/type-context.ts";

export interface RequestReading {
  readonly parameters: readonly ParameterModel[];
  readonly request?: RequestModel;
  /** Where the request is written, for findings about its model. */
  readonly site?: Site;
  readonly type?: ts.Type;
}

interface Parameter {
  readonly symbol: ts.Symbol;
  readonly declaration: ts.ParameterDeclaration | undefined;
  readonly type: ts.Type;
  readonly place: Place;
}

/** What a tool takes: one request object, or positional data as a request that is made from it, and the job. */
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
  checkParamTags(context, parameters, doc, fallback);
  const data = parameters.filter((parameter) => !jobs.includes(parameter));
  const [only] = data;
  if (only === undefined) return { parameters: jobs.map(() => ({ kind: "job" })) };
  if (data.length === 1 && isModel(context, only)) {
    const order = parameters.map((parameter): ParameterModel => ({
      kind: jobs.includes(parameter) ? "job" : "request",
    }));
    return { parameters: order, ...readModel(context, only) };
  }
  const order = parameters.map((parameter): ParameterModel => {
    if (jobs.includes(parameter)) return { kind: "job" };
    const key = parameter.symbol.name;
    return isRest(parameter) ? { kind: "field", key, rest: true } : { kind: "field", key };
  });
  const fields = data.flatMap((parameter) => readPositional(context, parameter, doc) ?? []);
  return { parameters: order, request: { type: { kind: "object", fields }, synthesised: true } };
}

function parameterOf(context: TypeContext, symbol: ts.Symbol, fallback: Place): Parameter {
  const declared = symbol.valueDeclaration;
  const declaration = declared !== undefined && ts.isParameter(declared) ? declared : undefined;
  const own = declaration !== undefined && isOwnFile(context.reading, declaration.getSourceFile());
  const type = context.reading.checker.getTypeOfSymbol(symbol);
  if (declaration?.type === undefined) context.reading.inferred = true;
  return { symbol, declaration, type, place: own ? placeOf(declaration.type ?? declaration) : fallback };
}

function isJob(context: TypeContext, parameter: Parameter): boolean {
  const node = parameter.declaration?.type;
  if (node !== undefined && ts.isTypeReferenceNode(node) && tenonName(context.reading, node.typeName) === "JobContext")
    return true;
  const type = splitUndefined(parameter.type).type;
  return tenonSymbol(context.reading, type?.getSymbol()) === "JobContext";
}

function isRest(parameter: Parameter): boolean {
  return parameter.declaration?.dotDotDotToken !== undefined;
}

/** The only parameter is the request itself when it is an object, and not a value that merely is one in JavaScript. */
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
    tenonSymbol(context.reading, type.getSymbol()) !== "BinaryResult"
  );
}

function readModel(context: TypeContext, parameter: Parameter): Pick<RequestReading, "request" | "site" | "type"> {
  const { declaration } = parameter;
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
  return {
    request: { type, ...(object.urn === undefined ? {} : { urn: object.urn }) },
    site,
    ...(split.type === undefined ? {} : { type: split.type }),
  };
}

/** `({ mode = "fast" }: Request)` gives the field a default, in this tool only. */
function withDefaults(
  context: TypeContext,
  type: TypeModel,
  object: ObjectType,
  pattern: ts.ObjectBindingPattern,
): TypeModel {
  const values = new Map<string, ts.Expression>();
  for (const element of pattern.elements) {
    const name = element.propertyName ?? element.name;
    if (element.initializer !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)))
      values.set(name.text, element.initializer);
  }
  if (values.size === 0) return type;
  const fields = object.fields.map((field): FieldModel => {
    const value = values.get(field.key);
    return value === undefined ? field : withDefault(context, field, value);
  });
  return { ...object, fields };
}

/** A default that is no constant stays with the function, which fills it in itself. */
function withDefault(context: TypeContext, field: FieldModel, initializer: ts.Expression): FieldModel {
  const constant = readConstant(initializer, context.reading.checker);
  if (!constant.ok || constant.value === undefined || field.default !== undefined) return { ...field, optional: true };
  if (accepts(field.type, constant.value, context.definitions))
    return { ...field, optional: true, default: constant.value };
  report(context.reading, {
    code: "TN312",
    place: placeOf(initializer),
    message: `The default of \`${field.key}\` does not fit its type.`,
    fix: "change the default, or the type",
  });
  return { ...field, optional: true };
}

function readPositional(context: TypeContext, parameter: Parameter, doc: Doc | undefined): FieldModel | undefined {
  const { reading } = context;
  const { declaration, place } = parameter;
  const key = parameter.symbol.name;
  if (declaration !== undefined && !ts.isIdentifier(declaration.name)) {
    report(reading, {
      code: "TN114",
      place,
      message: "A positional parameter needs a name, because callers give it by its name.",
      fix: "take it under a name, and destructure it in the function",
    });
    return undefined;
  }
  const optional =
    declaration !== undefined && (declaration.questionToken !== undefined || declaration.initializer !== undefined);
  const split = splitUndefined(parameter.type);
  const site: Site = {
    place,
    subject: `Parameter \`${key}\``,
    mayMiss: true,
    nodes: declaration?.type === undefined ? [] : [declaration.type],
    hint: key,
  };
  const type = context.read(parameter.type, declaration?.type, site);
  const name = declaration === undefined ? undefined : placeOf(declaration.name);
  let field: FieldModel = { key, type, ...(optional || split.optional ? { optional: true as const } : {}) };
  if (isRest(parameter) && accepts(type, [], context.definitions)) field = { ...field, optional: true, default: [] };
  if (declaration?.initializer !== undefined) field = withDefault(context, field, declaration.initializer);
  const text = paramText(context, key, doc, place);
  if (text !== undefined) field = { ...field, description: text };
  if (name === undefined) return field;
  if (text === undefined) {
    report(reading, {
      code: "TN203",
      place: name,
      message: `Parameter \`${key}\` has no text.`,
      fix: `write a line in the tool's comment: \`@param ${key} - What callers give here.\``,
      ...(doc !== undefined && { edit: lastTag(doc, name.file, `@param ${key} - ${todo} callers give here.`) }),
    });
  }
  checkLocalPath(reading, field, name);
  return { ...field, at: positionOf(reading, name) };
}

function paramText(context: TypeContext, key: string, doc: Doc | undefined, place: Place): string | undefined {
  for (const tag of doc?.tags ?? []) {
    const [, name, text] = paramPattern.exec(tag.text) ?? [];
    if (tag.name === "param" && name === key && text !== undefined && text !== "")
      return tagText(context.reading, { ...tag, text }, place);
  }
  return undefined;
}

const paramPattern = /^(?:\{[^}]*\}\s*)?\[?([\p{ID_Continue}$.]+)(?:=[^\]]*)?\]?\s*(?:-\s*)?([\s\S]*)$/u;

function checkParamTags(
  context: TypeContext,
  parameters: readonly Parameter[],
  doc: Doc | undefined,
  fallback: Place,
): void {
  const patterns = parameters.some(
    (parameter) => parameter.declaration !== undefined && !ts.isIdentifier(parameter.declaration.name),
  );
  for (const tag of patterns ? [] : (doc?.tags ?? [])) {
    const name = tag.name === "param" ? paramPattern.exec(tag.text)?.[1]?.split(".")[0] : undefined;
    if (name === undefined || parameters.some((parameter) => parameter.symbol.name === name)) continue;
    report(context.reading, {
      code: "TN117",
      place: tagPlace(tag, fallback),
      message: `\`@param ${name}\` names no parameter of this tool.`,
      fix: "use the name of a parameter",
    });
  }
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
