import { longestBigInt } from "../formats/text-formats.ts";
import { uriText } from "../../uri-text.ts";
import { distinct } from "../json-value.ts";
import { EncodeError } from "./encode-error.ts";

/**
 * Codecs for values that JSON lacks. A decoder is only called with a text that its format has accepted. An encoder gets
 * whatever the author's function returned. If it cannot encode the value, it returns a symbol that names the reason.
 * Validators accept no symbol, so the result is refused instead of being silently wrong.
 */
function unencodable(what: string): symbol {
  return Symbol(what);
}

/** Names a value of the wrong class in an error, without running its code. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? "an object of another class" : `a ${typeof value}`;
}

/** Decodes RFC 3339 text. */
export function decodeDate(text: string): Date {
  // The text is adapted, since `Date` accepts neither lower-case letters everywhere nor leap seconds. Second 60 becomes
  // the first second of the next minute.
  const upper = text.toUpperCase();
  if (upper.slice(17, 19) !== "60") return new Date(upper);
  return new Date(new Date(`${upper.slice(0, 17)}59${upper.slice(19)}`).getTime() + 1000);
}

/** Encodes a `Date` as RFC 3339 text; an invalid one is refused. */
export function encodeDate(value: unknown): string | symbol {
  if (!(value instanceof Date)) return unencodable(`${describe(value)} instead of a Date`);
  const time = value.getTime();
  if (Number.isNaN(time)) return unencodable("an invalid Date");
  const text = new Date(time).toISOString();
  return text.length === 24 ? text : unencodable("a Date outside the years 0 to 9999");
}

/** Decodes the text of a URL. */
export function decodeUrl(text: string): URL {
  return new URL(text);
}

/** Encodes a `URL` as text. */
export function encodeUrl(value: unknown): string | symbol {
  if (!(value instanceof URL)) return unencodable(`${describe(value)} instead of a URL`);
  return uriText(value);
}

/** Decodes the digits of a `bigint`. */
export function decodeBigInt(text: string): bigint {
  return BigInt(text);
}

/** Bound above which every `bigint` has too many digits. Larger ones are not converted, which could take seconds. */
const hugeBigInt = 1n << 4400n;

export function encodeBigInt(value: unknown): string | symbol {
  if (typeof value !== "bigint") return unencodable(`${describe(value)} instead of a bigint`);
  const text = value < hugeBigInt && value > -hugeBigInt ? value.toString() : undefined;
  return text === undefined || text.length > longestBigInt
    ? unencodable(`a bigint of more than ${longestBigInt} characters`)
    : text;
}

/**
 * Decodes base64. The bytes get a buffer of their own, since a slice of Node's pool would expose its neighbours through
 * `.buffer`.
 */
export function decodeBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

/** Decodes base64 as a `Buffer`. */
export function decodeBuffer(text: string): Buffer {
  return Buffer.from(text, "base64");
}

/** Encodes a `Uint8Array` as base64. */
export function encodeBytes(value: unknown): string | symbol {
  if (!(value instanceof Uint8Array)) return unencodable(`${describe(value)} instead of bytes`);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
}

type Convert = (value: never) => unknown;

/** Decodes an array as a `Set`. */
export function decodeSet(values: readonly unknown[], convert?: Convert): Set<unknown> {
  return new Set(convert === undefined ? values : values.map(convert as (value: unknown) => unknown));
}

/** Encodes a `Set` as an array. */
export function encodeSet(value: unknown, convert?: Convert): unknown[] | symbol {
  if (!(value instanceof Set)) return unencodable(`${describe(value)} instead of a Set`);
  // Duplicates are removed, since different values may be encoded to the same JSON.
  return convert === undefined ? [...value] : distinct(Array.from(value, convert as (value: unknown) => unknown));
}

/** Decodes an object as a `Map` with text keys. */
export function decodeMap(values: Record<string, unknown>, convert?: Convert): Map<string, unknown> {
  return new Map(
    Object.keys(values).map((key) => [key, convert === undefined ? values[key] : convert(values[key] as never)]),
  );
}

/** Encodes a `Map` with text keys as an object. */
export function encodeMap(value: unknown, convert?: Convert): object | symbol {
  if (!(value instanceof Map)) return unencodable(`${describe(value)} instead of a Map`);
  const object = {};
  for (const [key, item] of value) {
    if (typeof key !== "string") return unencodable(`a Map with ${describe(key)} as key`);
    setKey(object, key, convert === undefined ? item : convert(item as never));
  }
  return object;
}

/** Encodes an array. Any other value stays as it is, and the validator refuses it. */
export function encodeArray(value: unknown, convert?: Convert): unknown {
  if (!Array.isArray(value)) return value;
  // A loop visits holes too, which `map` would skip. `Array.from` also visits holes, but is slower.
  const encoded: unknown[] = [];
  for (let index = 0; index < value.length; index++)
    encoded.push(convert === undefined ? value[index] : convert(value[index] as never));
  return encoded;
}

/** Sets an own key of any name. An assignment to `__proto__` would set the prototype instead. */
export function setKey(target: object, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else (target as Record<string, unknown>)[key] = value;
}

/** Copies the optional fields that are present and need no conversion. */
export function copyKeys(target: object, value: Record<string, unknown>, ...keys: readonly string[]): void {
  for (const key of keys) if (value[key] !== undefined) (target as Record<string, unknown>)[key] = value[key];
}

/** Copies the own keys that are not declared (those of the index signature), without those that are `undefined`. */
export function copyOthers(target: object, value: object, declared?: ReadonlySet<string>, convert?: Convert): void {
  for (const key in value) {
    if (!Object.hasOwn(value, key) || declared?.has(key)) continue;
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) setKey(target, key, convert === undefined ? item : convert(item as never));
  }
}

/**
 * Explains why an encoder may not read declared fields from a value; `undefined` for plain objects and instances of the
 * author's classes. A value without fields (a promise that was not awaited, a `Map` instead of a record) must not
 * become `{}`.
 */
export function refuseObject(value: unknown): symbol | undefined {
  if (typeof value !== "object" || value === null) return unencodable(`${describe(value)} instead of an object`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  if (Array.isArray(value)) return unencodable("an array instead of an object");
  if (value instanceof Promise) return unencodable("a promise that was not awaited");
  const isOfBuiltIn =
    value instanceof Map ||
    value instanceof Set ||
    value instanceof Date ||
    value instanceof URL ||
    value instanceof RegExp ||
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer;
  return isOfBuiltIn ? unencodable(`a ${value.constructor.name} instead of an object`) : undefined;
}

/** Cuts an encoded tuple to the length of `given`, and drops `undefined` from optional elements at its end. */
export function trimTuple(encoded: unknown[], required: number, given: readonly unknown[]): unknown[] {
  let length = given.length;
  while (length > required && given[length - 1] === undefined) length--;
  // Elements beyond the given length are removed, since they are encodings of elements that do not exist.
  if (encoded.length > length) encoded.length = length;
  return encoded;
}

/** Runs the encoder of a recursive type. A result that contains itself or is too deep throws `EncodeError`. */
export function encodeRecursive(encode: (value: never) => unknown, value: unknown): unknown {
  try {
    return encode(value as never);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EncodeError("The result contains itself or is nested too deeply.");
  }
}
