import { ts } from "ts-morph";
import type { ToolModel } from "../../model/tool.ts";
import { descriptionOf, tagPlace } from "../comments/doc-text.ts";
import type { ToolCandidate } from "./find-tools.ts";
import { insertionPoint } from "./insertion.ts";
import { readInputSchema } from "./input-schema.ts";
import { readLimits } from "./read-limit.ts";
import { readPriorities } from "./read-priority.ts";
import { checkInferredBody } from "./inferred-body.ts";
import { readAskTags } from "./read-ask-tags.ts";
import { readExamples } from "./read-examples.ts";
import { readOptions } from "./read-options.ts";
import { readScheduleTags } from "./read-schedule-tags.ts";
import { readOffer } from "./read-offer.ts";
import { readRequest, type RequestReading } from "./parameters/read-request.ts";
import { readResult } from "./read-result.ts";
import { readView } from "./read-view.ts";
import { placeOf, positionOf, report, UnresolvedInLean, type Reading } from "../base/reading.ts";
import { checkModuleState } from "../rules/module-state.ts";
import { withUrn } from "../rules/missing-schema.ts";
import { signatureText } from "./signature-text.ts";
import { isToolName, readToolTags } from "../comments/tool-tags.ts";
import { reportLostTags } from "../types/written/apply-layers.ts";
import { isError } from "../types/check-names.ts";
import { usedDefinitions } from "../types/used-definitions.ts";
import { createDiscriminators, objectOf } from "../types/unions/make-union.ts";
import { createTypeContext, finishTypes } from "../types/read-type.ts";
import { isUrn } from "../types/schema-urn.ts";
import type { TypeContext } from "../base/type-context.ts";

/** Reads one tool completely; `undefined` when its signature has no model. */
export function readTool(reading: Reading, candidate: ToolCandidate): ToolModel | undefined {
  const { nameNode, doc, binding } = candidate;
  const place = placeOf(nameNode);
  const signature = signatureOf(reading, candidate);
  if (signature === undefined) return undefined;
  const { body } = (signature.declaration ?? {}) as { body?: ts.Node };
  if (body !== undefined && reading.lean)
    checkInferredBody(reading, signature.declaration as ts.SignatureDeclaration, body);
  const before = reading.diagnostics.length;
  const requests = createTypeContext(reading, true);
  const taken = readRequest(requests, signature, doc, place);
  const fields = taken.parameters.flatMap((parameter) => (parameter.kind === "field" ? [parameter.key] : []));
  const tags = doc === undefined ? {} : readToolTags(reading, doc, place, taken.tags);
  const { name: chosen, text, ...texts } = tags;
  const options = withText(readOptions(reading, candidate.options), text);
  const given = typeof options?.["name"] === "string" ? options["name"] : undefined;
  if (chosen !== undefined && given !== undefined && chosen !== given) {
    report(reading, {
      code: "TN403",
      place: placeOf(candidate.options ?? nameNode),
      message: `Option \`name\` is \`${given}\`, and \`@name\` is \`${chosen}\`.`,
      fix: "keep one of them: a tool has one name everywhere",
    });
  }
  const name = chosen ?? given ?? candidate.name;
  if (!isToolName(name)) {
    report(reading, {
      code: "TN112",
      place,
      message: `\`${name}\` cannot be the name of a tool.`,
      fix: "give it a name of `A-Z a-z 0-9 _ . -` with `@name`",
    });
  }
  const description = doc === undefined ? "" : descriptionOf(reading, doc, place);
  if (description === "") {
    report(reading, {
      code: "TN202",
      place,
      message: `Tool \`${name}\` has no text.`,
      fix: "write a sentence in its comment that says what it does",
    });
  }

  const results = createTypeContext(reading, false, requests);
  const returned = readResult(results, signature, doc, place);
  const isTool = candidate.kind === "tool";
  const request = isTool ? finishRequest(requests, candidate, taken, name) : taken.request;
  const marked =
    isTool && returned.result.kind === "json" && returned.result.type !== undefined
      ? withUrn(results, returned.result.type, returned.type, returned.site, name)
      : undefined;
  finishTypes(requests);
  if (body !== undefined && body.getSourceFile() === reading.file) checkModuleState(reading, name, body);

  const complete = <T extends { readonly type?: unknown }>(model: T, type: ToolModel["result"]["type"]): T =>
    type === undefined ? model : { ...model, type: createDiscriminators(requests.definitions)(type) };
  const result = complete({ ...returned.result, ...marked }, marked?.type ?? returned.result.type);
  const object = objectOf(request?.type, requests.definitions);
  const positional = request?.synthesised === true ? fields : [];
  const said = { place, others: taken.tags };
  const examples = doc === undefined ? [] : readExamples(requests, doc, binding, object, positional, said);
  const asks = doc === undefined ? [] : readAskTags(requests, doc, object, said);
  const schedules = doc === undefined || !isTool ? [] : readScheduleTags(requests, doc, object, said);
  const limits = doc === undefined ? {} : readLimits(requests, doc, object, said);
  const priorities = doc === undefined || !isTool ? [] : readPriorities(requests, doc, object, said);
  const inputSchema = doc === undefined ? undefined : readInputSchema(reading, doc, place);
  const view = readView(reading, candidate, place);
  const definitions = usedDefinitions([request?.type, result.type], requests.definitions);
  reportLostTags(
    requests,
    reading.diagnostics.slice(before).some(({ level }) => level === "error"),
  );
  reading.tags.push(requests.ledger.count(name));
  const offer = readOffer(reading, candidate, object, { name, result, definitions });
  const path = texts.path ?? (typeof options?.["path"] === "string" ? options["path"] : undefined);
  return {
    ...offer,
    name,
    binding,
    position: positionOf(reading, place),
    insertion: insertionPoint(reading.file, candidate.statement, candidate.hoisted),
    description,
    signature: signatureText(name, object, result),
    ...texts,
    ...(path === undefined ? {} : { path }),
    ...(examples.length === 0 ? {} : { examples }),
    ...(asks.length === 0 ? {} : { asks }),
    ...(schedules.length === 0 ? {} : { schedules }),
    ...limits,
    ...(priorities.length === 0 ? {} : { priorities }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(view === undefined ? {} : { view }),
    ...(options === undefined ? {} : { options }),
    parameters: taken.parameters,
    ...(request === undefined ? {} : { request: complete(request, request.type) }),
    result,
    definitions,
  };
}

/** Adds the tag `@text`, which means the same as the option `text` of `platformLambda`; the option takes precedence. */
function withText(options: ToolModel["options"], text: string | undefined): ToolModel["options"] {
  return text === undefined ? options : { text, ...options };
}

function signatureOf(reading: Reading, candidate: ToolCandidate): ts.Signature | undefined {
  const { callable, binding } = candidate;
  const type = reading.checker.getTypeAtLocation(callable);
  if (isError(type) && reading.canRetry) throw new UnresolvedInLean();
  const signatures = type.getCallSignatures();
  const [signature, another] = signatures;
  const place = placeOf(candidate.nameNode);
  if (signature === undefined) {
    report(reading, {
      code: "TN103",
      place,
      message: `\`${binding}\` is marked as a tool, and is not a function.`,
      fix: "mark a function",
    });
    return undefined;
  }
  if (another !== undefined) {
    report(reading, {
      code: "TN104",
      place,
      message: `Tool \`${binding}\` has overloads.`,
      fix: "keep one signature, or export one tool for each",
    });
    return undefined;
  }
  if ((signature.typeParameters?.length ?? 0) > 0) {
    const parameters = signature.typeParameters ?? [];
    const names = parameters.map((parameter) => parameter.symbol.name).join(", ");
    const nodes = signature.getDeclaration()?.parameters ?? [];
    const inRequest = parameters.some((one) => nodes.some((node) => mentions(node, one.symbol.name)));
    const what = inRequest ? "request" : "result";
    report(reading, {
      code: "TN105",
      place,
      message: `Tool \`${binding}\` has the type parameter \`${names}\`, so its ${what} is not known at build time.`,
      fix: inRequest ? "replace it with the types that callers send" : "replace it with the type that callers get",
    });
    return undefined;
  }
  return signature;
}

/** True when a node contains an identifier. */
function mentions(node: ts.Node, name: string): boolean {
  return (
    (ts.isIdentifier(node) && node.text === name) || (ts.forEachChild(node, (one) => mentions(one, name)) ?? false)
  );
}

/** Completes the request with its URN: that of its model; for positional parameters, the `@schema` of the tool. */
function finishRequest(
  context: TypeContext,
  candidate: ToolCandidate,
  taken: RequestReading,
  name: string,
): ToolModel["request"] {
  const { reading } = context;
  const place = placeOf(candidate.nameNode);
  const tag = candidate.doc?.tags.find((other) => other.name === "schema");
  const { request } = taken;
  if (request?.synthesised === true && tag !== undefined) {
    const urn = tag.text.split(/\s/)[0] ?? "";
    if (isUrn(urn) && request.type.kind === "object") return { ...request, type: { ...request.type, urn }, urn };
    report(reading, {
      code: "TN207",
      place: tagPlace(tag, place),
      message: urn === "" ? "`@schema` has no URN." : `\`${urn}\` is not a URN.`,
      fix: "write it as `urn:<namespace>:<name>`",
    });
    return request;
  }
  if (tag !== undefined) {
    report(reading, {
      code: "TN110",
      place: tagPlace(tag, place),
      message: "`@schema` on a tool names the request of positional parameters.",
      fix: "put it into the comment of the request model",
    });
  }
  if (request === undefined || request.synthesised === true || taken.site === undefined) return request;
  return { ...request, ...withUrn(context, request.type, taken.type, taken.site, name) };
}
