import { MissingRequiredClientCapabilityError, ProtocolError } from "@modelcontextprotocol/server";
import { faultCodes, McpFault } from "../port/fault.ts";
import { isObject } from "../../../contract/validation/json-value.ts";

/** Called with errors that are not part of an answer; for the log. */
export type ReportEngineError = (error: Error) => void;

/**
 * Converts errors to the SDK's own error class: the SDK would send the message of any other error, without its code.
 */
export async function asProtocolErrors<T>(report: ReportEngineError, answer: () => T | Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (thrown) {
    if (thrown instanceof McpFault) throw protocolError(thrown);
    report(thrown instanceof Error ? thrown : new Error(String(thrown)));
    throw new ProtocolError(faultCodes.internalError, "Internal error");
  }
}

/** Maximum characters of the SDK's text about a parameter. */
const longestReason = 200;

/**
 * Converts an error about invalid parameters to one sentence with the right code. The SDK throws its validator's list
 * as text, for most methods as an internal error. Other errors stay as they are.
 */
export function asInvalidParams(method: string, thrown: unknown): unknown {
  if (
    !(thrown instanceof Error) ||
    (thrown instanceof ProtocolError && Number(thrown.code) !== faultCodes.invalidParams)
  )
    return thrown;
  const start = thrown.message.indexOf("[\n  {");
  if (start < 0) return thrown;
  const issue = firstIssue(thrown.message.slice(start));
  if (issue === undefined) return thrown;
  const place = issue.path.length === 0 ? "" : ` at \`${issue.path.join(".")}\``.slice(0, longestReason);
  const reason = issue.message.slice(0, longestReason).replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  return new ProtocolError(faultCodes.invalidParams, `Invalid parameters of ${method}${place}: ${reason}.`);
}

function firstIssue(text: string): { readonly path: readonly unknown[]; readonly message: string } | undefined {
  try {
    const [issue] = JSON.parse(text) as readonly unknown[];
    if (!isObject(issue) || !Array.isArray(issue["path"]) || typeof issue["message"] !== "string") return undefined;
    return { path: issue["path"], message: issue["message"] };
  } catch {
    return undefined;
  }
}

function protocolError({ code, message, data }: McpFault): ProtocolError {
  // This error gets a class of its own, by which the transport chooses the status.
  const required = data?.["requiredCapabilities"];
  if (code === faultCodes.missingCapability && isObject(required))
    return new MissingRequiredClientCapabilityError({ requiredCapabilities: required }, message);
  return new ProtocolError(code, message, data);
}
