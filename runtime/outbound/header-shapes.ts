import type { SentHeaders } from "./decide-request.ts";

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

/** The headers with some left out, by their names in lower case, and others added; a new value of the same shape. */
export function mergeHeaders(headers: unknown, drop: ReadonlySet<string>, add: object): unknown {
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
  const names = Object.keys(headers);
  // One literal where nothing is dropped: members set one by one make an object that undici reads more slowly.
  if (!names.some((name) => isIn(drop, name))) return { ...headers, ...add };
  const kept: { [name: string]: unknown } = { ...headers };
  for (const name of names) if (isIn(drop, name)) delete kept[name];
  return { ...kept, ...add };
}

/** Whether the set has the name in lower case. Lengths first, as above. */
function isIn(names: ReadonlySet<string>, name: unknown): boolean {
  if (typeof name !== "string") return false;
  for (const one of names) if (one.length === name.length && one === name.toLowerCase()) return true;
  return false;
}

// As undici tells them apart: an iterator on `Object.prototype` itself does not count.
function isIterable(value: object): value is Iterable<unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Object.hasOwn(value, Symbol.iterator)) return true;
  return (
    prototype !== null &&
    prototype !== Object.prototype &&
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === "function"
  );
}

function isPair(item: unknown): item is Pair {
  return Array.isArray(item) && item.length === 2 && typeof item[0] === "string";
}

function expand(name: string, value: unknown): unknown[] {
  return Array.isArray(value) ? value.flatMap((one: unknown) => [name, one]) : [name, value];
}
