import type { ToolDefinition, ToolFunctions } from "../../contract/contract.ts";
import { ToolError } from "../../base/errors.ts";
import { isBinaryResult } from "../../job/binary-result.ts";
import { contentValue } from "../../job/content-value.ts";
import type { Explainer } from "./explain-values.ts";
import { isJson } from "./is-json.ts";
import type { JobResult } from "../../job/job.ts";
import { checkSize, invalidResult, maxResultBytes } from "../../job/result-bytes.ts";
import { loadExplainer } from "./load-explainer.ts";

/**
 * Encodes the result of the author's function to the form that all protocols send, and validates it. Throws
 * `invalid-result`. If the code that explains problems must be loaded first, returns a promise that rejects with this
 * error.
 */
export function encodeResult(
  definition: ToolDefinition,
  functions: ToolFunctions,
  value: unknown,
): JobResult | Promise<never> {
  switch (definition.result.kind) {
    case "none":
      return { kind: "json", json: "null" };
    case "json":
      return encodeJson(definition, functions, value);
    case "text":
      if (typeof value !== "string") throw invalidResult(`expected a string, got ${kindOf(value)}`);
      if (functions.isResult?.(value) === false) return mismatch(definition, value);
      checkSize(value.length <= maxResultBytes / 3 ? 0 : Buffer.byteLength(value));
      return { kind: "text", text: value };
    case "bytes":
      if (!(value instanceof Uint8Array)) throw invalidResult(`expected a Uint8Array, got ${kindOf(value)}`);
      checkSize(value.byteLength);
      return { kind: "binary", contentType: "application/octet-stream", content: value };
    case "binary":
      return encodeBinary(value);
    case "content":
      return encodeContent(value);
  }
}

function encodeContent(value: unknown): JobResult {
  const content = contentValue(value);
  if (content === undefined) throw invalidResult("expected Content, strings, or a list of them");
  const json = JSON.stringify(content);
  checkSize(json.length <= maxResultBytes / 3 ? 0 : Buffer.byteLength(json));
  return { kind: "json", json };
}

function encodeBinary(value: unknown): JobResult {
  if (!isBinaryResult(value)) throw invalidResult(`expected a BinaryResult, got ${kindOf(value)}`);
  const { contentType, content } = value;
  if (typeof content === "string") checkSize(Buffer.byteLength(content));
  else if (content instanceof Uint8Array) checkSize(content.byteLength);
  else if (!(content instanceof ReadableStream)) {
    return { kind: "binary", contentType, content: ReadableStream.from(content) };
  }
  return { kind: "binary", contentType, content };
}

function encodeJson(definition: ToolDefinition, functions: ToolFunctions, value: unknown): JobResult | Promise<never> {
  let json: string | undefined;
  try {
    const wire: unknown = functions.encodeResult === undefined ? value : functions.encodeResult(value as never);
    if (functions.isResult?.(wire) === false || !(wire === undefined || isJson(wire)))
      return mismatch(definition, wire);
    json = JSON.stringify(wire) ?? "null";
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown;
    // Possible causes: an author's getter or `toJSON` that throws, or a value that does not have the shape of its type.
    throw invalidResult("the value cannot be encoded", thrown);
  }
  checkSize(json.length <= maxResultBytes / 3 ? 0 : Buffer.byteLength(json));
  return { kind: "json", json };
}

function mismatch({ result }: ToolDefinition, wire: unknown): Promise<never> {
  const refuse = ({ describeMismatch }: Explainer): never => {
    throw invalidResult(describeMismatch(result.schema, wire) ?? "the value does not match the result type");
  };
  const explainer = loadExplainer();
  return explainer instanceof Promise ? explainer.then(refuse) : refuse(explainer);
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}
