import type { JsonObject } from "../../../contract/contract.ts";
import { isObject } from "../../../contract/validation/json-value.ts";

/**
 * An argument of a tool that clients of revision 2026-07-28 repeat as the header `Mcp-Param-<header>` (`x-mcp-header`
 * in its schema).
 */
export interface HeaderParameter {
  readonly header: string;
  /** Property names from the arguments down to the value. */
  readonly path: readonly string[];
  /** True if values are compared as numbers, so that `42.0` equals `42`. */
  readonly numeric: boolean;
}

/** The header parameters that an input schema declares, at any depth of `properties`. */
export function findHeaderParameters(inputSchema: JsonObject): readonly HeaderParameter[] {
  const found: HeaderParameter[] = [];
  collect(inputSchema, [], found);
  return found;
}

function collect(schema: unknown, path: readonly string[], found: HeaderParameter[]): void {
  if (!isObject(schema)) return;
  const header = schema["x-mcp-header"];
  if (typeof header === "string" && path.length > 0) {
    found.push({ header, path, numeric: schema["type"] === "integer" || schema["type"] === "number" });
  }
  const properties = schema["properties"];
  if (!isObject(properties)) return;
  for (const [name, child] of Object.entries(properties)) collect(child, [...path, name], found);
}

/**
 * Compares the arguments of a call with its `Mcp-Param-*` headers. Returns a text about the first mismatch, or
 * undefined. An argument that is absent or null needs no header; if it has one, the header is ignored.
 */
export function headerParameterMismatch(
  parameters: readonly HeaderParameter[],
  args: unknown,
  header: (name: string) => string | null | undefined,
): string | undefined {
  for (const parameter of parameters) {
    const value = valueAt(args, parameter.path);
    // Other types are skipped, since the tool's own validator refuses them, with a more precise text.
    if (typeof value !== "string" && typeof value !== "boolean" && typeof value !== "number") continue;
    const name = `Mcp-Param-${parameter.header}`;
    const where = parameter.path.join(".");
    const sent = header(name);
    if (sent === null || sent === undefined)
      return `The body has a value for \`${where}\`, but the header ${name} is missing.`;
    const decoded = decodeHeaderValue(sent.trim());
    if (decoded === undefined) return `The header ${name} is not valid base64 of UTF-8 text.`;
    if (!agrees(parameter, value, decoded)) return `The header ${name} and \`${where}\` of the body disagree.`;
  }
  return undefined;
}

function agrees(parameter: HeaderParameter, value: string | boolean | number, sent: string): boolean {
  if (parameter.numeric && typeof value === "number" && /^-?\d+(?:\.\d+)?$/.test(sent)) return Number(sent) === value;
  return sent === String(value);
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * Decodes a header in the form `=?base64?…?=`, used for text that headers cannot carry; `undefined` when it is not
 * valid base64 of UTF-8.
 */
function decodeHeaderValue(value: string): string | undefined {
  const inner = /^=\?base64\?(.*)\?=$/s.exec(value)?.[1];
  if (inner === undefined) return value;
  const bytes = Buffer.from(inner, "base64");
  // The value is encoded again for comparison, since `Buffer` skips invalid base64.
  if (bytes.toString("base64") !== inner) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
