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

function protocolError({ code, message, data }: McpFault): ProtocolError {
  // The transport chooses the status of this error by its class.
  const required = data?.["requiredCapabilities"];
  if (code === faultCodes.missingCapability && isRecord(required))
    return new MissingRequiredClientCapabilityError({ requiredCapabilities: required }, message);
  return new ProtocolError(code, message, data);
}
