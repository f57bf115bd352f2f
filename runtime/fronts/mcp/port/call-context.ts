import { legalBaggage } from "../../../job/baggage.ts";
import type { SentTrace } from "../../../job/trace-context.ts";
import type { JsonObject } from "../../../contract/contract.ts";
import type { McpCallContext, McpSender, McpStartContext } from "./port.ts";

/** A sender about whom nothing is known. */
export const unknownSender: McpSender = {
  authorization: undefined,
  caller: undefined,
  traceparent: undefined,
  tracestate: undefined,
  baggage: undefined,
  revision: undefined,
  capabilities: undefined,
  logLevel: undefined,
};

type Reports = Pick<McpCallContext, "notifyProgress" | "log">;

/**
 * Creates the context of a call: a single object literal, for speed, because there is one for every call.
 *
 * @param trace Trace context of the message; takes precedence over that of its sender.
 */
export function startContext(
  requestId: string | number,
  { traceparent, tracestate, baggage }: SentTrace,
  { capabilities, revision }: Pick<McpStartContext, "capabilities" | "revision">,
  sender: McpSender,
  report: Reports | undefined,
): McpStartContext {
  const { caller } = sender;
  return {
    capabilities,
    traceparent: traceparent ?? sender.traceparent,
    tracestate: tracestate ?? sender.tracestate,
    baggage: baggage ?? sender.baggage,
    requestId,
    revision,
    authorization: sender.authorization,
    owner: caller?.owner,
    scopes: caller?.scopes,
    caller: caller?.identity,
    notifyProgress: report?.notifyProgress,
    log: report?.log,
  };
}

/** Returns the valid parts of the trace context in `_meta`. */
export function traceOf(meta: Readonly<Record<string, unknown>>): SentTrace {
  return {
    traceparent: textOf(meta["traceparent"]),
    tracestate: textOf(meta["tracestate"]),
    baggage: meta["baggage"] === undefined ? undefined : legalBaggage(meta["baggage"]),
  };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const levels: readonly (string | undefined)[] = ["debug", "info", "notice", "warning", "error"];

/**
 * Makes the functions that report to the client of a call: as progress if the client follows the call, else as log
 * messages.
 *
 * @param level The lowest level of log messages that the client wants; undefined for none.
 * @param notify Sends a notification; never rejects.
 */
export function reports(
  progressToken: unknown,
  level: string | undefined,
  notify: (method: string, params: JsonObject) => Promise<void>,
): Reports | undefined {
  if (typeof progressToken === "string" || typeof progressToken === "number")
    return { notifyProgress: (progress) => notify("notifications/progress", { ...progress, progressToken }) };
  if (level === undefined || !levels.includes(level)) return undefined;
  return {
    log: (of, data) =>
      levels.indexOf(of) < levels.indexOf(level)
        ? Promise.resolve()
        : notify("notifications/message", { level: of, data }),
  };
}
