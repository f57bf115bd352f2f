import { legalBaggage } from "../../../job/baggage.ts";
import type { JsonObject } from "../../../contract/contract.ts";
import { isId, isRecord } from "../port/message-shape.ts";

/** The revision whose requests are self-contained. */
export const modernRevision = "2026-07-28";
/** Older revisions, newest first. */
export const legacyRevisions: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

export type PlainMethod = "tools/call" | "tools/list" | "server/discover" | "initialize" | "ping";

/** A request that needs only the parts of the protocol in this file. */
export interface PlainRequest {
  readonly id: string | number;
  readonly method: PlainMethod;
  readonly era: "modern" | "legacy";
  /** Name of the tool in `tools/call`. */
  readonly name: string;
  readonly args: JsonObject;
  /** Capabilities: a modern client sends them with each request, an older one with `initialize`. */
  readonly capabilities: JsonObject | undefined;
  /** Revision in `initialize`. */
  readonly revision: string;
  readonly progressToken: string | number | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage: string | undefined;
}

const prefix = "io.modelcontextprotocol/";
const revisionKey = `${prefix}protocolVersion`;
const clientKey = `${prefix}clientInfo`;
const capabilitiesKey = `${prefix}clientCapabilities`;

const noParams: JsonObject = {};
const ofMessage = ["jsonrpc", "id", "method", "params"] as const;

/**
 * Parses a message that is a plain request in every detail. Undefined for any other: a notification, a rare method, a
 * later round of a call, and any violation of a rule, which the full engine answers with the protocol's errors.
 *
 * @param message Parsed JSON.
 */
export function readPlainRequest(message: unknown): PlainRequest | undefined {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params = noParams } = message;
  if (!isId(id)) return undefined;
  if (!isRecord(params) || !hasOnly(message, ofMessage)) return undefined;
  const meta = params["_meta"];
  if (meta !== undefined && !isRecord(meta)) return undefined;
  const facts = readMeta(meta);
  if (facts === undefined) return undefined;
  const { era } = facts;
  const known = id as PlainRequest["id"];
  const rules = isPlainMethod(method) ? plainMethods[method] : undefined;
  if (rules === undefined || (rules.era ?? era) !== era || !hasOnly(params, rules.params)) return undefined;
  switch (method as PlainMethod) {
    case "tools/call": {
      const { name, arguments: args = noParams } = params;
      if (typeof name !== "string" || !isRecord(args)) return undefined;
      return request(known, facts, "tools/call", name, args as JsonObject, "");
    }
    case "initialize": {
      const { protocolVersion, capabilities, clientInfo } = params;
      if (typeof protocolVersion !== "string" || !isClientInfo(clientInfo)) return undefined;
      if (!isClientCapabilities(capabilities)) return undefined;
      const declared = { ...facts, capabilities: capabilities as JsonObject };
      return request(known, declared, "initialize", "", noParams, protocolVersion);
    }
    default:
      return request(known, facts, method as PlainMethod, "", noParams, "");
  }
}

/** The methods that are plain: the revisions that have them, all without `era`, and their parameters. */
const plainMethods: Readonly<
  Record<PlainMethod, { readonly era?: PlainRequest["era"]; readonly params: readonly string[] }>
> = {
  "tools/call": { params: ["name", "arguments", "_meta"] },
  "tools/list": { params: ["_meta"] },
  "server/discover": { era: "modern", params: ["_meta"] },
  ping: { era: "legacy", params: ["_meta"] },
  initialize: { era: "legacy", params: ["protocolVersion", "capabilities", "clientInfo", "_meta"] },
};

function isPlainMethod(method: unknown): method is PlainMethod {
  return typeof method === "string" && Object.hasOwn(plainMethods, method);
}

type MetaFacts = Pick<
  PlainRequest,
  "era" | "capabilities" | "progressToken" | "traceparent" | "tracestate" | "baggage"
>;

/** Reads `_meta`. Keys of other vendors are ignored; an unknown key of the protocol itself may mean anything. */
function readMeta(meta: Readonly<Record<string, unknown>> | undefined): MetaFacts | undefined {
  if (meta === undefined) return noMeta;
  for (const key in meta) {
    if (key !== revisionKey && key !== clientKey && key !== capabilitiesKey && key.startsWith(prefix)) return undefined;
  }
  const { progressToken } = meta;
  if (!isToken(progressToken)) return undefined;
  const traceparent = textOf(meta["traceparent"]);
  const tracestate = textOf(meta["tracestate"]);
  const baggage = meta["baggage"] === undefined ? undefined : legalBaggage(meta["baggage"]);
  // Literals without spreads: this runs for every message.
  if (!(revisionKey in meta)) {
    // An incomplete envelope is a mistake that must be reported.
    return clientKey in meta || capabilitiesKey in meta
      ? undefined
      : { era: "legacy", capabilities: undefined, progressToken, traceparent, tracestate, baggage };
  }
  const capabilities = meta[capabilitiesKey];
  const client = meta[clientKey];
  if (meta[revisionKey] !== modernRevision || !isClientCapabilities(capabilities)) return undefined;
  if (client !== undefined && !isClientInfo(client)) return undefined;
  return { era: "modern", capabilities: capabilities as JsonObject, progressToken, traceparent, tracestate, baggage };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const noMeta: MetaFacts = {
  era: "legacy",
  capabilities: undefined,
  progressToken: undefined,
  traceparent: undefined,
  tracestate: undefined,
  baggage: undefined,
};

function request(
  id: PlainRequest["id"],
  { era, capabilities, progressToken, traceparent, tracestate, baggage }: MetaFacts,
  method: PlainMethod,
  name: string,
  args: JsonObject,
  revision: string,
): PlainRequest {
  return { id, method, era, name, args, capabilities, revision, progressToken, traceparent, tracestate, baggage };
}

/** True when a record has no other keys than these. */
function hasOnly(value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  for (const key in value) if (!keys.includes(key)) return false;
  return true;
}

function isToken(value: unknown): value is string | number | undefined {
  return value === undefined || typeof value === "string" || Number.isSafeInteger(value);
}

/** True for client information that every revision of the protocol allows; false when in doubt. */
function isClientInfo(value: unknown): boolean {
  if (!isRecord(value) || typeof value["name"] !== "string" || typeof value["version"] !== "string") return false;
  for (const key in value) {
    switch (key) {
      case "name":
      case "version":
        break;
      case "title":
      case "websiteUrl":
      case "description":
        if (typeof value[key] !== "string") return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

/** The same for the client's capabilities. */
function isClientCapabilities(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  for (const key in value) {
    const declared = value[key];
    switch (key) {
      case "experimental":
      case "extensions":
        if (!isRecord(declared) || !hasRecordsOnly(declared)) return false;
        break;
      case "sampling":
      case "elicitation":
        if (!isRecord(declared) || !hasRecordsOnly(declared)) return false;
        break;
      case "roots":
        if (!isRecord(declared) || !isFlag(declared["listChanged"])) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

function hasRecordsOnly(value: Readonly<Record<string, unknown>>): boolean {
  for (const key in value) if (!isRecord(value[key])) return false;
  return true;
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}
