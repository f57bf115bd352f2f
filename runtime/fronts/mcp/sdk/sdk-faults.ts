import { MissingRequiredClientCapabilityError, ProtocolError } from "@modelcontextprotocol/server";
import { faultCodes, McpFault } from "../port/fault.ts";
import { isRecord } from "../port/message-shape.ts";

/** Called with what went wrong outside of any answer; for the log. */
export type ReportEngineError = (error: Error) => void;

/** The SDK reads a code only off its own error class, and sends the message of every other error as it is. */
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
  // The transport knows the status of this one by its class.
  const required = data?.["requiredCapabilities"];
  if (code === faultCodes.missingCapability && isRecord(required))
    return new MissingRequiredClientCapabilityError({ requiredCapabilities: required }, message);
  return new ProtocolError(code, message, data);
}
