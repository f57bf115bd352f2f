import { ts } from "ts-morph";
import type { CodedCall, KeptCall, KeptCalls } from "../../model/kept.ts";
import { isOwnFile, placeOf, report, UnresolvedInLean, type Reading } from "../base/reading.ts";
import type { Site, TypeContext } from "../base/type-context.ts";
import { findNotData } from "../types/find-not-data.ts";
import { isError } from "../types/check-names.ts";
import { createTypeContext, finishTypes } from "../types/read-type.ts";
import { splitUndefined } from "../types/written/split-undefined.ts";
import { usedDefinitions } from "../types/used-definitions.ts";
import { promised } from "../types/written/written-values.ts";
import type { JobCall } from "./find-job-calls.ts";
import { checkInferredBody } from "./inferred-body.ts";
import { constantOption, hasOption, isSometimes, varies } from "./kept-options.ts";

/** A call that was read, with its node. */
export interface ReadCall {
  readonly node: ts.CallExpression;
  readonly call: KeptCall;
  /** The function of a step. */
  readonly run?: ts.Expression;
}

export interface KeptReading {
  readonly calls: readonly ReadCall[];
  /** Names of the module's functions that contain such calls; empty if there is no call. */
  readonly names: ReadonlySet<string>;
  /** Calls to which generated code has to be added; absent if there is none. */
  readonly kept?: KeptCalls;
}

/** Reads the calls of a module whose results are stored, with the types of their values. */
export function readKept(reading: Reading, found: readonly JobCall[]): KeptReading {
  const mine = found.filter(({ method }) => method !== "ask");
  if (mine.length === 0) return { calls: [], names: new Set() };
  const context = createTypeContext(reading, false);
  const calls = mine.flatMap(({ method, node }) => {
    if (method === "sleep") return readSleep(reading, node);
    return (method === "step" ? readStep(context, node) : readWait(context, node)) ?? [];
  });
  finishTypes(context);
  const coded = calls.flatMap(({ node, call }): readonly CodedCall[] => {
    if (call.kind === "sleep") return [];
    const isShort = call.kind === "wait" && node.arguments.length === 1;
    return [{ ...call, offset: node.arguments.at(-1)?.getEnd() ?? 0, ...(isShort && { withoutOptions: true }) }];
  });
  const names = namesOfFunctions(reading.file);
  if (coded.length === 0) return { calls, names };
  const types = coded.flatMap(({ type }) => type ?? []);
  const end = reading.file.statements.at(-1)?.getEnd() ?? 0;
  return { calls, names, kept: { calls: coded, end, definitions: usedDefinitions(types, context.definitions) } };
}

/**
 * Lists the names of top-level functions. Only these names are resolved, since resolving every name would type-check
 * the module.
 */
function namesOfFunctions(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isCode = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isVariableDeclaration(node);
    if (isCode && node.name !== undefined && ts.isIdentifier(node.name)) names.add(node.name.text);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function readStep(context: TypeContext, node: ts.CallExpression): ReadCall | undefined {
  const [nameNode, second] = node.arguments;
  const run = node.arguments.length === 2 ? second : node.arguments[2];
  // The call is skipped here, since the compiler reports wrong arguments.
  if (nameNode === undefined || run === undefined || node.arguments.length > 3) return undefined;
  const name = readName(context.reading, nameNode, "step");
  if (name === undefined) return undefined;
  const options = node.arguments.length === 3 ? second : undefined;
  const value = readValue(context, node, run, `The result of step \`${name}\``);
  if (value === undefined) return undefined;
  return {
    node,
    run,
    call: {
      kind: "step",
      name,
      ...(hasOption(context.reading, options, "key") && { keyed: true }),
      ...(constantOption(context.reading, options, "atMostOnce") === true && { atMostOnce: true }),
      ...value,
    },
  };
}

function readWait(context: TypeContext, node: ts.CallExpression): ReadCall | undefined {
  const [nameNode, options] = node.arguments;
  const [typeNode] = node.typeArguments ?? [];
  if (nameNode === undefined || node.arguments.length > 2) return undefined;
  const name = readName(context.reading, nameNode, "message");
  if (name === undefined) return undefined;
  if (typeNode === undefined) {
    report(context.reading, {
      code: "TN125",
      place: placeOf(node.expression),
      message: `The message \`${name}\` has no type, so that anything would be taken for it.`,
      fix: `write its type: \`job.wait<{ approved: boolean }>("${name}")\``,
    });
    return undefined;
  }
  const site = siteOf(typeNode, `The message \`${name}\``);
  const type = dataType(context, context.reading.checker.getTypeFromTypeNode(typeNode), typeNode, site);
  if (type === undefined) return undefined;
  return { node, call: { kind: "wait", name, ...readWaitOptions(context.reading, options, name), ...type } };
}

/** Reads the options of a wait that the sender of its message must know. */
function readWaitOptions(
  reading: Reading,
  options: ts.Expression | undefined,
  name: string,
): Pick<KeptCall, "keyed" | "scope"> {
  if (options === undefined) return {};
  const unclear = (message: string, fix: string): void =>
    report(reading, { code: "TN132", place: placeOf(options), message, fix });
  const scope = constantOption(reading, options, "scope");
  if (scope === varies)
    unclear(
      `The build cannot tell the scope that a sender of the message \`${name}\` needs.`,
      'write the scope as a text, or as a constant that is one: `scope: "orders:approve"`',
    );
  const isKeyed = hasOption(reading, options, "key");
  if (isKeyed && isSometimes(reading, options, "key"))
    unclear(
      `The message \`${name}\` may have a key or none, so that the build cannot tell whether a sender needs one.`,
      "give the wait a key that is never `undefined`, or no key",
    );
  return { ...(isKeyed && { keyed: true }), ...(typeof scope === "string" && { scope }) };
}

function readSleep(reading: Reading, node: ts.CallExpression): ReadCall {
  const name = constantOption(reading, node.arguments[1], "name");
  return { node, call: { kind: "sleep", ...(typeof name === "string" && { name }) } };
}

/**
 * Matches a legal name: letters, digits and a few other characters, since a name is used in the definition, in URLs,
 * and together with its key.
 */
const legalName = /^[A-Za-z\d](?:[\w .-]{0,62}[\w])?$/;

function readName(reading: Reading, node: ts.Expression, what: "step" | "message"): string | undefined {
  const text = literalOf(node);
  if (text !== undefined && legalName.test(text)) return text;
  const isLiteral = text !== undefined;
  report(reading, {
    code: "TN122",
    place: placeOf(node),
    message: isLiteral
      ? `\`${text}\` cannot be the name of a ${what}.`
      : `The name of this ${what} is not a literal, so that a later build could not tell its results apart.`,
    fix: isLiteral
      ? "give it 1 to 64 letters, digits, spaces and `. _ -`, with a letter or digit at both ends"
      : `write the name as a text, and what varies as its key: \`job.${what === "step" ? "step" : "wait"}("ship", { key: id }${what === "step" ? ", …" : ""})\``,
  });
  return undefined;
}

/** The type of the value that the function of a step returns. */
function readValue(
  context: TypeContext,
  node: ts.CallExpression,
  run: ts.Expression,
  subject: string,
): Pick<KeptCall, "type" | "optional"> | undefined {
  const { reading } = context;
  const { checker } = reading;
  const [typeNode] = node.typeArguments ?? [];
  if (typeNode !== undefined)
    return dataType(context, checker.getTypeFromTypeNode(typeNode), typeNode, siteOf(typeNode, subject));
  const isFunction = ts.isArrowFunction(run) || ts.isFunctionExpression(run);
  const declared = isFunction ? writtenResult(checker, run) : undefined;
  if (isFunction && reading.lean && declared === undefined) checkInferredBody(reading, run, run.body);
  const returned = declared ?? checker.getTypeAtLocation(run).getCallSignatures()[0]?.getReturnType();
  if (returned === undefined || isError(returned)) {
    if (reading.canRetry) throw new UnresolvedInLean();
    return undefined;
  }
  const written = isFunction && run.type !== undefined ? promised(run.type) : undefined;
  if (written === undefined) reading.inferred = true;
  const type = checker.getAwaitedType(returned) ?? returned;
  return dataType(context, type, written, siteOf(written ?? run, subject));
}

/**
 * Finds the declared result type of a function, or of a function that it calls, so that the compiler need not infer it.
 */
function writtenResult(
  checker: ts.TypeChecker,
  { type, body }: ts.ArrowFunction | ts.FunctionExpression,
): ts.Type | undefined {
  return type === undefined ? declaredResult(checker, body) : checker.getTypeFromTypeNode(type);
}

/**
 * Finds the type of a body that is only a call of a function which declares its result. The arguments of that call are
 * not read, since they would make the compiler infer the whole call of the step.
 */
function declaredResult(checker: ts.TypeChecker, body: ts.Node): ts.Type | undefined {
  let call = body;
  while (ts.isParenthesizedExpression(call) || ts.isAwaitExpression(call)) call = call.expression;
  if (!ts.isCallExpression(call) || ts.isOptionalChain(call)) return undefined;
  const [signature, ...others] = checker.getTypeAtLocation(call.expression).getCallSignatures();
  if (signature === undefined || others.length > 0 || signature.getTypeParameters() !== undefined) return undefined;
  return signature.getDeclaration()?.type === undefined ? undefined : signature.getReturnType();
}

function siteOf(node: ts.Node, subject: string): Site {
  return { place: placeOf(node), subject, nodes: [node], hint: "Kept" };
}

/** Reads a type that is data; any other type is reported. */
function dataType(
  context: TypeContext,
  given: ts.Type,
  node: ts.TypeNode | undefined,
  site: Site,
): Pick<KeptCall, "type" | "optional"> | undefined {
  const { reading } = context;
  if (isError(given) && reading.canRetry) throw new UnresolvedInLean();
  const { type, optional } = splitUndefined(given);
  if (type === undefined) return {};
  const before = reading.diagnostics.length;
  const stray = findNotData(reading, type);
  if (stray !== undefined) {
    report(reading, {
      code: "TN125",
      place: site.place,
      message: `${site.subject} cannot be kept: ${stray.path === "" ? "it" : `\`${stray.path}\``} is ${stray.what}.`,
      fix: stray.fix,
    });
    return undefined;
  }
  const own = node !== undefined && isOwnFile(reading, node.getSourceFile()) && type === given;
  const model = context.read(type, own ? node : undefined, site);
  if (reading.diagnostics.slice(before).some(({ level }) => level === "error")) return undefined;
  return { type: model, ...(optional && { optional: true }) };
}

function literalOf(node: ts.Expression | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}
