import { uriText } from "../contract/uri-text.ts";

/**
 * Encodes the request as JSON text. `Date`, `URL`, `bigint`, bytes, `Set` and `Map` get their form on the wire.
 *
 * @throws TypeError for a value that JSON cannot carry, and which `JSON.stringify` would change or drop
 */
export function encodeRequest(request: unknown): string {
  return JSON.stringify(request ?? {}, encodeField);
}

/** `JSON.stringify` passes the value after `toJSON`, and as `this` the object that holds the original value. */
function encodeField(this: unknown, key: string, given: unknown): unknown {
  const value = (this as Readonly<Record<string, unknown>>)[key];
  switch (typeof value) {
    case "bigint":
      return value.toString();
    case "number":
      if (Number.isFinite(value)) return value;
      throw unencodable(key, `is ${value}`);
    case "function":
    case "symbol":
      throw unencodable(key, `is a ${typeof value}`);
    case "object":
      return value === null ? null : encodeObject(key, value, given);
    default:
      return given;
  }
}

function encodeObject(key: string, value: object, given: unknown): unknown {
  if (value instanceof Uint8Array) return bytesToBase64(value);
  if (value instanceof Set) return [...(value as ReadonlySet<unknown>)];
  if (value instanceof Map) return Object.fromEntries(value as ReadonlyMap<string, unknown>);
  if (value instanceof Date && Number.isNaN(Number(value))) throw unencodable(key, "is an invalid Date");
  if (value instanceof URL) return uriText(value);
  if (value instanceof Promise) throw unencodable(key, "is a promise that was not awaited");
  return given;
}

function unencodable(key: string, why: string): TypeError {
  return new TypeError(`The request cannot be sent: ${key === "" ? "it" : JSON.stringify(key)} ${why}.`);
}

/** Bytes as base64, in pieces that fit the arguments of a call. */
function bytesToBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return btoa(text);
}

/** The bytes of a base64 text. */
export function base64ToBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
