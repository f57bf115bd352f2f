import type { JsonObject } from "../../../contract/contract.ts";
import type { ToolError } from "../../../base/errors.ts";

/** JSON-RPC and MCP error codes of this server. */
export const faultCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Code for refusals at the level of HTTP (Host, Origin, size), for which JSON-RPC has no code. */
  refused: -32000,
  headerMismatch: -32020,
  /**
   * Code for a request that needs a capability which the client has not declared; `data.requiredCapabilities` names it.
   */
  missingCapability: -32021,
} as const;

export type FaultCode = (typeof faultCodes)[keyof typeof faultCodes];

/** A violation of the protocol by the client. It is answered as a JSON-RPC error, never as a tool result. */
export class McpFault extends Error {
  override readonly name: string = "McpFault";
  readonly code: FaultCode;
  readonly data: JsonObject | undefined;

  constructor(code: FaultCode, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type MessageId = string | number | null;

/** A JSON-RPC error message; `id` is null when the request's own id could not be read. */
export interface FaultMessage {
  readonly jsonrpc: "2.0";
  readonly id: MessageId;
  readonly error: { readonly code: number; readonly message: string };
}

/** Makes the JSON-RPC error message of a fault. */
export function faultMessage(code: FaultCode, message: string, id: MessageId = null): FaultMessage {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** The code for a request that was refused before it became a message. */
export function refusalCode(error: ToolError): FaultCode {
  switch (error.kind) {
    case "malformed-json":
      return faultCodes.parseError;
    case "bad-request":
      return faultCodes.invalidRequest;
    case "system":
      return faultCodes.internalError;
    default:
      return faultCodes.refused;
  }
}
