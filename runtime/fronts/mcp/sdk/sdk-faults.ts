import { MissingRequiredClientCapabilityError, ProtocolError } from "@modelcontextprotocol/server";
import { faultCodes, McpFault } from "../port/fault.ts";
import { isRecord } from "../port/message-shape.ts";

/** Called with errors outside of any answer; for the log. */
export type ReportEngineError = (error: Error) => void;

/**
 * Converts errors into the SDK's own class: it reads a code only from that, and sends the message of every other error.
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

/** Characters of what the SDK says of a parameter. */
const longestReason = 200;

/**
 * A mistake in a request's parameters as one sentence and with its code. The SDK throws the list of its validator as
 * text, for most methods as an internal error; whatever else is thrown stays as it is.
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
    if (!isRecord(issue) || !Array.isArray(issue["path"]) || typeof issue["message"] !== "string") return undefined;
    return { path: issue["path"], message: issue["message"] };
  } catch {
    return undefined;
  }
}

function protocolError({ code, message, data }: McpFault): ProtocolError {
  // The transport chooses the status of this error by its class.
  const required = data?.["requiredCapabilities"];
  if (code === faultCodes.missingCapability && isRecord(required))
    return new MissingRequiredClientCapabilityError({ requiredCapabilities: required }, message);
  return new ProtocolError(code, message, data);
}
