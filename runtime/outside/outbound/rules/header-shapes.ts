import { forwardHeader, jobIdHeader, type AddedHeaders, type SentHeaders } from "./decide-request.ts";

type Pair = readonly [name: string, value: unknown];

/** Result of a scan of the author's headers. */
interface ScannedHeaders extends SentHeaders {
  /**
   * True if the author has set the job's id, the forwarding address or the host, which a merge may have to leave out.
   */
  readonly replaceable: boolean;
}

/**
 * Scans the author's headers, in any shape that undici and `node:http` take: an object, a flat array, an array or an
 * iterable of pairs. `ownToken` is a token that an earlier decision added; it does not count as the author's.
 */
export function scanHeaders(headers: unknown, ownToken?: string): ScannedHeaders {
  const sent = { authorization: false, traceparent: false, baggage: undefined, replaceable: false };
  if (Array.isArray(headers)) {
    if (Array.isArray(headers[0]))
      for (const pair of headers as unknown[][]) look(sent, pair?.[0], pair ?? [], 1, ownToken);
    else for (let at = 0; at < headers.length; at += 2) look(sent, headers[at], headers, at + 1, ownToken);
  } else if (typeof headers === "object" && headers !== null) {
    for (const name of Object.keys(headers)) look(sent, name, headers, name, ownToken);
  }
  return sent;
}

type Writable<T> = { -readonly [name in keyof T]: T[name] };

function look(
  sent: Writable<ScannedHeaders>,
  name: unknown,
  holder: object,
  key: string | number,
  ownToken: string | undefined,
): void {
  if (typeof name !== "string") return;
  switch (name.toLowerCase()) {
    case "authorization":
      sent.authorization ||= ownToken === undefined || (holder as Table)[key] !== ownToken;
      return;
    case "traceparent":
      sent.traceparent = true;
      return;
    case "baggage":
      sent.baggage = true;
      return;
    case jobIdHeader:
    case forwardHeader:
    case "host":
      sent.replaceable = true;
  }
}

/** Reads an iterable of pairs once, so that it can be scanned and sent. Any other shape is returned unchanged. */
export function settleHeaders(headers: unknown): unknown {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers) || !isIterable(headers)) return headers;
  const items = [...headers];
  if (items.every(isPair)) return items.flatMap(([name, value]) => expand(name, value));
  // If the items are not pairs, the client refuses them with its own error.
  return { [Symbol.iterator]: () => items.values() };
}

/** Headers that a merge adds; the host is that of the proxy. */
type Added = AddedHeaders & { readonly host?: string };

type Table = { [name: string | number]: unknown };

/** Returns headers of the same shape without `drop` (lower-case names) and with `add`. */
export function mergeHeaders(headers: unknown, drop: readonly string[], add: Added): unknown {
  if (Array.isArray(headers)) {
    const added: [string, unknown][] = Object.entries(add);
    if (Array.isArray(headers[0]))
      return [...(headers as unknown[][]).filter((pair) => !isIn(drop, pair?.[0])), ...added];
    const flat: unknown[] = [];
    for (let at = 0; at < headers.length; at += 2)
      if (!isIn(drop, headers[at])) flat.push(...headers.slice(at, at + 2));
    return [...flat, ...added.flat()];
  }
  if (headers === undefined || headers === null) return { ...add };
  if (typeof headers !== "object" || isIterable(headers)) return headers;
  return withAdded(without(headers, drop), add);
}

/** Copies headers without the given members. */
function without(headers: object, drop: readonly string[]): Table {
  const copy: Table = { ...headers };
  if (drop.length === 0) return copy;
  for (const name of Object.keys(headers)) if (isIn(drop, name)) delete copy[name];
  // Copied again, since an object whose members were deleted is slower to read.
  return { ...copy };
}

/** Sets the members one by one: a second spread, or a loop over the names, costs several times as much. */
function withAdded(headers: Table, add: Added): Table {
  if (add.host !== undefined) headers["host"] = add.host;
  if (add[jobIdHeader] !== undefined) headers[jobIdHeader] = add[jobIdHeader];
  if (add.traceparent !== undefined) headers["traceparent"] = add.traceparent;
  if (add.tracestate !== undefined) headers["tracestate"] = add.tracestate;
  if (add.baggage !== undefined) headers["baggage"] = add.baggage;
  if (add.authorization !== undefined) headers["authorization"] = add.authorization;
  if (add[forwardHeader] !== undefined) headers[forwardHeader] = add[forwardHeader];
  return headers;
}

/** True when the list of lower-case names has `name`. */
function isIn(names: readonly string[], name: unknown): boolean {
  return typeof name === "string" && names.includes(name.toLowerCase());
}

// Decides as undici does: an iterator on `Object.prototype` itself does not count.
function isIterable(value: object): value is Iterable<unknown> {
  // Most headers have no iterator, and reading the member costs less than testing for it.
  const iterator: unknown = (value as Partial<Iterable<unknown>>)[Symbol.iterator];
  if (iterator === undefined) return false;
  if (Object.hasOwn(value, Symbol.iterator)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype !== Object.prototype && typeof iterator === "function";
}

function isPair(item: unknown): item is Pair {
  return Array.isArray(item) && item.length === 2 && typeof item[0] === "string";
}

function expand(name: string, value: unknown): unknown[] {
  return Array.isArray(value) ? value.flatMap((one: unknown) => [name, one]) : [name, value];
}
