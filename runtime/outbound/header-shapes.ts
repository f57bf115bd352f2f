import { forwardHeader, jobIdHeader } from "./decide-request.ts";
import type { AddedHeaders, SentHeaders } from "./decide-request.ts";

type Pair = readonly [name: string, value: unknown];

/**
 * What the author's code has set, in any shape that undici and `node:http` take: an object, a flat array, an array or
 * an iterable of pairs. `ownToken` is a token that an earlier decision added; it does not count as the author's.
 */
export function scanHeaders(headers: unknown, ownToken?: string): SentHeaders {
  const sent = { authorization: false, traceparent: false };
  if (Array.isArray(headers)) {
    if (Array.isArray(headers[0]))
      for (const pair of headers as unknown[][]) look(sent, pair?.[0], pair?.[1], ownToken);
    else for (let at = 0; at < headers.length; at += 2) look(sent, headers[at], headers[at + 1], ownToken);
  } else if (typeof headers === "object" && headers !== null) {
    const table = headers as { [name: string]: unknown };
    for (const name of Object.keys(table)) look(sent, name, table[name], ownToken);
  }
  return sent;
}

type Writable<T> = { -readonly [name in keyof T]: T[name] };

function look(sent: Writable<SentHeaders>, name: unknown, value: unknown, ownToken: string | undefined): void {
  // Lengths first: most names are told apart by them, and this runs for every header of every request.
  if (typeof name !== "string") return;
  if (name.length === 13 && name.toLowerCase() === "authorization") {
    sent.authorization ||= ownToken === undefined || value !== ownToken;
  } else if (name.length === 11 && name.toLowerCase() === "traceparent") sent.traceparent = true;
}

/** Reads an iterable of pairs once, so that it can be looked at and sent. Any other shape comes back as it is. */
export function settleHeaders(headers: unknown): unknown {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers) || !isIterable(headers)) return headers;
  const items = [...headers];
  if (items.every(isPair)) return items.flatMap(([name, value]) => expand(name, value));
  // Not pairs: the client refuses it, with its own words.
  return { [Symbol.iterator]: () => items.values() };
}

/** What a merge adds; the host is that of the proxy. */
type Added = AddedHeaders & { readonly host?: string };

type Table = { [name: string]: unknown };

/** The headers with some left out, by their names in lower case, and others added; a new value of the same shape. */
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

/** A copy without those members. */
function without(headers: object, drop: readonly string[]): Table {
  const copy: Table = { ...headers };
  const dropped = Object.keys(headers).filter((name) => isIn(drop, name));
  if (dropped.length === 0) return copy;
  for (const name of dropped) delete copy[name];
  // Once more, since an object that has lost members is read more slowly.
  return { ...copy };
}

/** One by one: a second spread, or a loop over the names, costs several times as much. */
function withAdded(headers: Table, add: Added): Table {
  const { host, traceparent, tracestate, authorization } = add;
  const { [jobIdHeader]: id, [forwardHeader]: forward } = add;
  if (host !== undefined) headers["host"] = host;
  if (id !== undefined) headers[jobIdHeader] = id;
  if (traceparent !== undefined) headers["traceparent"] = traceparent;
  if (tracestate !== undefined) headers["tracestate"] = tracestate;
  if (authorization !== undefined) headers["authorization"] = authorization;
  if (forward !== undefined) headers[forwardHeader] = forward;
  return headers;
}

/** Whether the list has the name in lower case. Lengths first, as above. */
function isIn(names: readonly string[], name: unknown): boolean {
  if (typeof name !== "string") return false;
  for (const one of names) if (one.length === name.length && one === name.toLowerCase()) return true;
  return false;
}

// As undici tells them apart: an iterator on `Object.prototype` itself does not count.
function isIterable(value: object): value is Iterable<unknown> {
  // Most headers have none, and to learn so costs less than to ask who has it.
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
