import type { JsonObject } from "../contract/contract.ts";
import { ToolError } from "../base/errors.ts";

/** What a client may be asked for, by the name of its capability in MCP. */
export type ClientCapability = "elicitation" | "sampling" | "roots";

/** Requests that a client can answer while it waits for a call. */
export type ClientMethod = "elicitation/create" | "sampling/createMessage" | "roots/list";

/** Something that a running job wants to know from its client. */
export interface Question {
  /** Names the question within its job; the same one when the job runs again. */
  readonly key: string;
  readonly method: ClientMethod;
  readonly params: JsonObject;
  /** Whether an answer can be used; another one is asked for again. */
  readonly accepts: (answer: JsonObject) => boolean;
}

/** The client that waits for a job, as far as it can be asked something. */
export interface JobClient {
  can(capability: ClientCapability): boolean;
  /** Resolves to an answer that the question accepts; rejects with a `ToolError` when there will be none. */
  ask(question: Question): Promise<JsonObject>;
}

/** Which capability a request needs. */
export function capabilityOf(method: ClientMethod): ClientCapability {
  return method === "elicitation/create" ? "elicitation" : method === "sampling/createMessage" ? "sampling" : "roots";
}

/** The author asked for something that the client has not said it can do. */
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
