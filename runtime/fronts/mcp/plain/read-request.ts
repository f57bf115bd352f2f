import { legalBaggage } from "../../../job/baggage.ts";
import type { JsonObject } from "../../../contract/contract.ts";
import { isId, isRecord } from "../port/message-shape.ts";
import { isClientCapabilities, isClientInfo } from "./client-facts.ts";

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
  if (!isRecord(params) || !hasOnly(message, "jsonrpc", "id", "method", "params")) return undefined;
  const meta = params["_meta"];
  if (meta !== undefined && !isRecord(meta)) return undefined;
  const facts = readMeta(meta);
  if (facts === undefined) return undefined;
  const { era } = facts;
  const known = id as PlainRequest["id"];
  switch (method) {
    case "tools/call": {
      const { name, arguments: args = noParams } = params;
      if (typeof name !== "string" || !isRecord(args) || !hasOnly(params, "name", "arguments", "_meta"))
        return undefined;
      return request(known, facts, method, name, args as JsonObject, "");
    }
    case "tools/list":
      return hasOnly(params, "_meta") ? request(known, facts, method, "", noParams, "") : undefined;
    case "server/discover":
      return era === "modern" && hasOnly(params, "_meta") ? request(known, facts, method, "", noParams, "") : undefined;
    case "ping":
      return era === "legacy" && hasOnly(params, "_meta") ? request(known, facts, method, "", noParams, "") : undefined;
    case "initialize": {
      const { protocolVersion, capabilities, clientInfo } = params;
      if (era !== "legacy" || typeof protocolVersion !== "string") return undefined;
      if (!isClientCapabilities(capabilities) || !isClientInfo(clientInfo)) return undefined;
      if (!hasOnly(params, "protocolVersion", "capabilities", "clientInfo", "_meta")) return undefined;
      return request(
        known,
        { ...facts, capabilities: capabilities as JsonObject },
        method,
        "",
        noParams,
        protocolVersion,
      );
    }
    default:
      return undefined;
  }
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
  const baggage = legalBaggage(meta["baggage"]);
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
function hasOnly(value: Readonly<Record<string, unknown>>, a: string, b = a, c = a, d = a): boolean {
  for (const key in value) if (key !== a && key !== b && key !== c && key !== d) return false;
  return true;
}

function isToken(value: unknown): value is string | number | undefined {
  return value === undefined || typeof value === "string" || Number.isSafeInteger(value);
}
