import type { JsonObject } from "../contract/contract.ts";
import { ToolError } from "../base/errors.ts";

/** A client's capability that questions need, by its name in MCP. */
export type ClientCapability = "elicitation" | "sampling" | "roots";

/** Requests that a client can answer while it waits for a call. */
export type ClientMethod = "elicitation/create" | "sampling/createMessage" | "roots/list";

/** A request of a running job to its client. */
export interface Question {
  /** Identifies the question within its job; the same when the job runs again. */
  readonly key: string;
  readonly method: ClientMethod;
  readonly params: JsonObject;
  /** True for a usable answer; the client is asked again after any other. */
  readonly accepts: (answer: JsonObject) => boolean;
}

/** The client that waits for a job, and the questions it supports. */
export interface JobClient {
  can(capability: ClientCapability): boolean;
  /** Resolves to an answer that the question accepts. Rejects with a `ToolError` when no answer can come. */
  ask(question: Question): Promise<JsonObject>;
}

/** The capability that a request needs. */
export function capabilityOf(method: ClientMethod): ClientCapability {
  return method === "elicitation/create" ? "elicitation" : method === "sampling/createMessage" ? "sampling" : "roots";
}

/** Thrown when the author asks for something that the client has not declared as a capability. */
export class MissingCapabilityError extends ToolError {
  override readonly name: string = "MissingCapabilityError";
  readonly capability: ClientCapability;

  constructor(capability: ClientCapability) {
    super(
      "user-input",
      `The tool needs a client with the capability ${JSON.stringify(capability)}, which this one has not declared.`,
    );
    this.capability = capability;
  }
}
