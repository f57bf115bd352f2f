import type { JsonObject } from "../../../contract/contract.ts";
import { traceOf } from "../port/call-context.ts";
import type { SentTrace } from "../../../job/trace-context.ts";
import type { Era } from "../port/capabilities.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import { isClientCapabilities, isClientInfo, rulesOf, type PlainMethod } from "../port/methods.ts";

/** The revision of MCP in which each request is self-contained. */
export const modernRevision = "2026-07-28";
/** Older revisions, newest first. */
export const legacyRevisions: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** A request that the engine for plain requests can answer, according to the table of methods. */
export interface PlainRequest extends SentTrace {
  readonly id: string | number;
  readonly method: PlainMethod;
  readonly era: Era;
  /** Name of the tool in `tools/call`. */
  readonly name: string;
  readonly args: JsonObject;
  /** Capabilities: a modern client sends them with each request, an older one with `initialize`. */
  readonly capabilities: JsonObject | undefined;
  /** The revision that `initialize` requests, or that a modern request names. */
  readonly revision: string | undefined;
  readonly progressToken: string | number | undefined;
}

const prefix = "io.modelcontextprotocol/";
const revisionKey = `${prefix}protocolVersion`;
const clientKey = `${prefix}clientInfo`;
const capabilitiesKey = `${prefix}clientCapabilities`;

const nothing: JsonObject = {};
const ofMessage = ["jsonrpc", "id", "method", "params"] as const;

/**
 * Reads a message that is a plain request in every detail. Undefined for any other message: a notification, a rare
 * method, a later round of a call, and any invalid request. The MCP SDK answers these, with the protocol's errors.
 *
 * @param message A message whose shape has been checked, or a batch.
 */
export function readPlainRequest(message: unknown): PlainRequest | undefined {
  if (!isObject(message)) return undefined;
  const { id, method, params = nothing } = message as Readonly<Record<string, JsonObject | undefined>>;
  const rules = rulesOf(method);
  if (rules?.plain === undefined || id === undefined || !hasOnly(message, ofMessage)) return undefined;
  if (!hasOnly(params, rules.plain) || rules.isPlain?.(params) === false) return undefined;
  const facts = readMeta(params["_meta"] as JsonObject | undefined);
  if (facts === undefined || (rules.era ?? facts.era) !== facts.era) return undefined;
  const { era, progressToken, traceparent, tracestate, baggage } = facts;
  const { name = "", arguments: args = nothing, capabilities = facts.capabilities } = params;
  const revision = era === "modern" ? modernRevision : params["protocolVersion"];
  // An object literal without spreads is used, since this runs for every message. The table of methods allows each
  // parameter only for its own methods.
  return {
    id,
    method,
    era,
    name,
    args,
    capabilities,
    revision,
    progressToken,
    traceparent,
    tracestate,
    baggage,
  } as Readonly<Record<keyof PlainRequest, unknown>> as PlainRequest;
}

type MetaFacts = Pick<
  PlainRequest,
  "era" | "capabilities" | "progressToken" | "traceparent" | "tracestate" | "baggage"
>;

const noMeta: MetaFacts = {
  era: "legacy",
  capabilities: undefined,
  progressToken: undefined,
  traceparent: undefined,
  tracestate: undefined,
  baggage: undefined,
};

/**
 * Reads `_meta`. Keys of other vendors are ignored. With an unknown key of the protocol itself, the result is
 * undefined, since its meaning is unknown.
 */
function readMeta(meta: JsonObject | undefined): MetaFacts | undefined {
  if (meta === undefined) return noMeta;
  for (const key in meta) {
    if (key !== revisionKey && key !== clientKey && key !== capabilitiesKey && key.startsWith(prefix)) return undefined;
  }
  const { traceparent, tracestate, baggage } = traceOf(meta);
  const progressToken = meta["progressToken"] as MetaFacts["progressToken"];
  if (!(revisionKey in meta)) {
    // An incomplete envelope is a mistake, which the MCP SDK reports.
    return clientKey in meta || capabilitiesKey in meta
      ? undefined
      : { era: "legacy", capabilities: undefined, progressToken, traceparent, tracestate, baggage };
  }
  const capabilities = meta[capabilitiesKey] as JsonObject;
  const client = meta[clientKey];
  if (meta[revisionKey] !== modernRevision || !isClientCapabilities(capabilities)) return undefined;
  if (client !== undefined && !isClientInfo(client)) return undefined;
  return { era: "modern", capabilities, progressToken, traceparent, tracestate, baggage };
}

/** True when a record has no other keys than these. */
function hasOnly(value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  for (const key in value) if (!keys.includes(key)) return false;
  return true;
}
