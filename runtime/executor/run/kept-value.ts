import type { KeptCodec } from "../../contract/contract.ts";
import { ToolError } from "../../base/errors.ts";
import { isJson } from "./is-json.ts";
import { loadExplainer } from "./load-explainer.ts";

/** Value of a step or a message in its stored form; absent for `undefined`. */
export interface KeptValue {
  readonly value?: string;
}

/** Encodes the value that a step has returned. Throws `invalid-result` for a value that is not of the step's type. */
export async function writeKept(codec: KeptCodec, name: string, value: unknown): Promise<KeptValue> {
  if (codec.empty === true || (codec.optional === true && value === undefined)) return {};
  let wire: unknown;
  try {
    wire = codec.encode === undefined ? value : codec.encode(value as never);
  } catch (thrown) {
    throw refused(`The result of step ${name} cannot be written`, thrown);
  }
  const reason = await mismatch(codec, wire);
  if (reason !== undefined) throw refused(`The result of step ${name} is not of its type: ${reason}`);
  return { value: JSON.stringify(wire) };
}

/**
 * Decodes a stored value by the type in this build. Returns the reason, with the path, for a value that does not fit.
 */
export async function readKept(
  codec: KeptCodec,
  text: string | undefined,
): Promise<{ readonly value: unknown } | { readonly reason: string }> {
  if (codec.empty === true) return { value: undefined };
  if (text === undefined) return codec.optional === true ? { value: undefined } : { reason: "there is no value" };
  let wire: unknown;
  try {
    wire = JSON.parse(text);
  } catch {
    return { reason: "it is not JSON" };
  }
  const reason = await mismatch(codec, wire);
  // A history in JSON has null for undefined.
  if (reason !== undefined && wire === null && codec.optional === true) return { value: undefined };
  if (reason !== undefined) return { reason };
  try {
    return { value: codec.decode === undefined ? wire : codec.decode(wire as never) };
  } catch {
    return { reason: "it cannot be read" };
  }
}

async function mismatch({ is, schema }: KeptCodec, wire: unknown): Promise<string | undefined> {
  if (is?.(wire) !== false && (wire === undefined || isJson(wire))) return undefined;
  const { describeMismatch } = await loadExplainer();
  return describeMismatch(schema, wire) ?? "it does not match its type";
}

function refused(message: string, cause?: unknown): ToolError {
  return new ToolError("invalid-result", "The tool failed. The service's log has the reason.", {
    cause: new Error(`${message}.`, cause === undefined ? undefined : { cause }),
  });
}
