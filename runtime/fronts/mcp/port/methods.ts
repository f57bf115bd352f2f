import type { JsonObject } from "../../../contract/contract.ts";
import type { Era } from "./capabilities.ts";
import { isObject } from "../../../contract/validation/json-value.ts";

/** Rules of one method, for both engines. */
export interface MethodRules {
  /** Revisions that have the method; absent: all revisions. */
  readonly era?: Era;
  /** Kind of function that a parameter names; the request needs the scopes of that function. */
  readonly target?: "tool" | "prompt" | "resource" | "ref";
  /**
   * Names of all parameters that a plain request may have. Absent: the MCP SDK answers every request of this method.
   */
  readonly plain?: readonly string[];
  /** True for parameters that the engine for plain requests supports; default: all parameters with the right names. */
  readonly isPlain?: (params: JsonObject) => boolean;
}

/** Methods of MCP for which scopes are checked, or that are answered without the MCP SDK. */
export const methods = {
  "tools/call": { target: "tool", plain: ["name", "arguments", "_meta"] },
  "tools/list": { plain: ["_meta"] },
  "server/discover": { era: "modern", plain: ["_meta"] },
  ping: { era: "legacy", plain: ["_meta"] },
  initialize: {
    era: "legacy",
    plain: ["protocolVersion", "capabilities", "clientInfo", "_meta"],
    isPlain: ({ protocolVersion, capabilities, clientInfo }) =>
      typeof protocolVersion === "string" && isClientInfo(clientInfo) && isClientCapabilities(capabilities),
  },
  "prompts/get": { target: "prompt" },
  "resources/read": { target: "resource" },
  "resources/subscribe": { target: "resource" },
  "resources/unsubscribe": { target: "resource" },
  "completion/complete": { target: "ref" },
} as const satisfies Readonly<Record<string, MethodRules>>;

/** Methods that are answered without the MCP SDK. */
export type PlainMethod = {
  [M in keyof typeof methods]: (typeof methods)[M] extends { readonly plain: unknown } ? M : never;
}[keyof typeof methods];

/** Returns the rules of a method; undefined for any other. */
export function rulesOf(method: unknown): MethodRules | undefined {
  return typeof method === "string" && Object.hasOwn(methods, method)
    ? methods[method as keyof typeof methods]
    : undefined;
}

// Names of text fields in descriptions of clients. The checks below follow rules that every revision of the protocol
// has. In doubt they return false, and the MCP SDK decides.

const texts: ReadonlySet<string> = new Set(["name", "version", "title", "websiteUrl", "description"]);

/** True for information about a client, as in `initialize`. */
export function isClientInfo(value: unknown): boolean {
  if (!isObject(value) || !("name" in value) || !("version" in value)) return false;
  for (const key in value) if (!texts.has(key) || typeof value[key] !== "string") return false;
  return true;
}

const records: ReadonlySet<string> = new Set(["experimental", "extensions", "sampling", "elicitation"]);

/** True for the capabilities of a client. */
export function isClientCapabilities(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  for (const key in value) {
    const declared = value[key];
    if (!isObject(declared)) return false;
    if (key === "roots") {
      const { listChanged } = declared;
      if (listChanged !== undefined && typeof listChanged !== "boolean") return false;
    } else if (!records.has(key) || !hasRecordsOnly(declared)) return false;
  }
  return true;
}

function hasRecordsOnly(value: Readonly<Record<string, unknown>>): boolean {
  for (const key in value) if (!isObject(value[key])) return false;
  return true;
}
