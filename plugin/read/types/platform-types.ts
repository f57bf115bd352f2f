import { ts } from "ts-morph";
import { leaveOut } from "./unsupported.ts";
import { isPlatformFile } from "../base/tenon-symbols.ts";
import type { Reading } from "../base/reading.ts";

/** Wire form of a platform type. */
export type PlatformType =
  | { readonly kind: "date" | "url" | "bytes" | "buffer" | "set" | "map" }
  /** Type that JSON cannot carry; `fix` suggests a replacement. */
  | { readonly kind: "unsupported"; readonly fix: string };

const bytes = "use `Uint8Array`";
const stream = "take an `ArtifactUrn`, or return a `BinaryResult`";
const list = "use an array";

const known: Readonly<Record<string, PlatformType>> = {
  Date: { kind: "date" },
  URL: { kind: "url" },
  Uint8Array: { kind: "bytes" },
  Buffer: { kind: "buffer" },
  Set: { kind: "set" },
  ReadonlySet: { kind: "set" },
  Map: { kind: "map" },
  ReadonlyMap: { kind: "map" },
  ...unsupported(bytes, [
    "ArrayBuffer",
    "SharedArrayBuffer",
    "DataView",
    "Int8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "BigInt64Array",
    "BigUint64Array",
  ]),
  ...unsupported(stream, [
    "Blob",
    "File",
    "FormData",
    "ReadableStream",
    "WritableStream",
    "TransformStream",
    "Request",
    "Response",
  ]),
  ...unsupported(list, [
    "Iterable",
    "Iterator",
    "IterableIterator",
    "AsyncIterable",
    "AsyncIterator",
    "AsyncIterableIterator",
    "Generator",
    "AsyncGenerator",
    "ArrayIterator",
    "SetIterator",
    "MapIterator",
  ]),
  ...unsupported(leaveOut, [
    "Function",
    "AbortSignal",
    "AbortController",
    "Event",
    "EventTarget",
    "WebSocket",
    "MessagePort",
    "CryptoKey",
  ]),
  "Temporal.Instant": { kind: "unsupported", fix: "use `Date`, or `string` with `@format date-time`" },
  "Temporal.ZonedDateTime": { kind: "unsupported", fix: "use `Date`, or `string` with `@format date-time`" },
  "Temporal.PlainDateTime": { kind: "unsupported", fix: "use `Date`, or `string` with `@format date-time`" },
  "Temporal.PlainDate": { kind: "unsupported", fix: "use `string` with `@format date`" },
  "Temporal.PlainTime": { kind: "unsupported", fix: "use `string` with `@format time`" },
  "Temporal.Duration": { kind: "unsupported", fix: "use `string` with `@format duration`" },
  "Temporal.PlainYearMonth": { kind: "unsupported", fix: "use `string` with `@pattern`" },
  "Temporal.PlainMonthDay": { kind: "unsupported", fix: "use `string` with `@pattern`" },
  RegExp: { kind: "unsupported", fix: "use `string` with `@format regex`" },
  WeakMap: { kind: "unsupported", fix: "use `Map<string, T>`" },
  WeakSet: { kind: "unsupported", fix: "use `Set<T>`" },
  WeakRef: { kind: "unsupported", fix: leaveOut },
  Promise: { kind: "unsupported", fix: "await it, and write the type of its value" },
  PromiseLike: { kind: "unsupported", fix: "await it, and write the type of its value" },
  Error: { kind: "unsupported", fix: "use an object with the fields that callers need, such as `message`" },
  Symbol: { kind: "unsupported", fix: "use `string`" },
  String: { kind: "unsupported", fix: "use `string`" },
  Number: { kind: "unsupported", fix: "use `number`" },
  Boolean: { kind: "unsupported", fix: "use `boolean`" },
  BigInt: { kind: "unsupported", fix: "use `bigint`" },
  Headers: { kind: "unsupported", fix: "use `Record<string, string>`" },
  URLSearchParams: { kind: "unsupported", fix: "use `Record<string, string>`" },
};

/** Returns the wire form of a type that the platform declares under this symbol; `undefined` for plain data. */
export function platformType(reading: Reading, symbol: ts.Symbol | undefined): PlatformType | undefined {
  const name = symbol === undefined ? "" : nameOf(symbol);
  if (symbol === undefined || !Object.hasOwn(known, name)) return undefined;
  const declared =
    symbol.declarations?.some((declaration) => isPlatformFile(reading, declaration.getSourceFile())) === true;
  return declared ? known[name] : undefined;
}

/**
 * The fix for a platform type that the project's own TypeScript library does not declare yet; undefined for other
 * names.
 */
export function missingPlatformFix(name: string): string | undefined {
  const type = name.startsWith("Temporal.") && Object.hasOwn(known, name) ? known[name] : undefined;
  return type?.kind === "unsupported" ? type.fix : undefined;
}

/** The name of a type, with that of its namespace. */
function nameOf(symbol: ts.Symbol): string {
  const space = symbol.declarations?.[0]?.parent.parent;
  return space !== undefined &&
    ts.isModuleDeclaration(space) &&
    ts.isIdentifier(space.name) &&
    space.name.text !== "global"
    ? `${space.name.text}.${symbol.name}`
    : symbol.name;
}

function unsupported(fix: string, names: readonly string[]): Record<string, PlatformType> {
  return Object.fromEntries(names.map((name) => [name, { kind: "unsupported", fix }]));
}
