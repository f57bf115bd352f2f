/** The trace context of a call, as in headers or in the members of MCP's `_meta`. */
export interface SentTrace {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  /** Names and values that are passed on with everything that the call causes; W3C Baggage. */
  readonly baggage?: string | undefined;
}

/** The W3C trace context of a call: its trace and parent span. */
export interface TraceContext {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all zero. */
  readonly spanId: string;
  /** One byte; bit 0: sampled, bit 1: the trace id is random. */
  readonly flags: number;
  /** Vendors' own data, in the form in which it is passed on; undefined when there is none. */
  readonly tracestate: string | undefined;
}

const sampledFlag = 0x01;
const randomFlag = 0x02;
const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxMembers = 32;
/** Minimum length that every vendor must be able to pass on. */
const maxTracestate = 512;
const key = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
// Printable, without comma and equals sign, not ending with a space.
const value = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * Parses the headers `traceparent` and `tracestate`, or the members of MCP's `_meta`. Undefined for anything that W3C
 * Trace Context does not allow: the call then starts a trace of its own, since a caller's invalid context must not make
 * it fail. If only `tracestate` is invalid, only that is dropped.
 */
export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== "string") return undefined;
  const match = shape.exec(trim(traceparent));
  if (match === null) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = match;
  // Version 00 must not have further fields; later versions may add some.
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const known = Number.parseInt(flags, 16) & (sampledFlag | randomFlag);
  return { traceId, spanId, flags: known, tracestate: parseTracestate(tracestate) };
}

/** Returns the trace id in a `traceparent`; undefined if there is none, or if it is invalid. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return parseTraceContext(traceparent)?.traceId;
}

/** Formats the value of `traceparent`, in version 00. */
export function formatTraceparent({
  traceId,
  spanId,
  flags,
}: Pick<TraceContext, "traceId" | "spanId" | "flags">): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
}

/**
 * Parses `tracestate`: its members in their order, without empty ones. The values of several headers count as one list.
 */
function parseTracestate(header: unknown): string | undefined {
  const list = Array.isArray(header) ? header.join(",") : header;
  if (typeof list !== "string") return undefined;
  const members: string[] = [];
  const keys = new Set<string>();
  for (const part of list.split(",")) {
    const member = trim(part);
    if (member === "") continue;
    const equals = member.indexOf("=");
    const name = member.slice(0, equals);
    // A list with an invalid member is dropped as a whole, since its valid members cannot be recognised with certainty.
    if (equals < 1 || keys.has(name) || !key.test(name) || !value.test(member.slice(equals + 1))) return undefined;
    if (keys.size === maxMembers) return undefined;
    keys.add(name);
    members.push(member);
  }
  const kept = shorten(members);
  return kept.length === 0 ? undefined : kept.join(",");
}

/** Shortens a long list: first its long members are dropped, then the last ones. */
function shorten(members: readonly string[]): readonly string[] {
  const length = (list: readonly string[]): number => list.join(",").length;
  if (length(members) <= maxTracestate) return members;
  const kept = members.filter((member) => member.length <= 128);
  while (length(kept) > maxTracestate) kept.pop();
  return kept;
}

/** Trims the white space that HTTP allows around a value, in one pass also over much of it within. */
function trim(text: string): string {
  return /^[ \t]*(.*[^ \t])?/s.exec(text)?.[1] ?? "";
}
