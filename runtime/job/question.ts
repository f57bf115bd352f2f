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

/** Open questions by key, in the form that clients get. */
export type OpenQuestions = Readonly<Record<string, { readonly method: ClientMethod; readonly params: JsonObject }>>;

/** The client that waits for a job, and the questions it supports. */
export interface JobClient {
  /** State with which another process can continue to ask, if that is possible. */
  readonly talk?: Talk;
  can(capability: ClientCapability): boolean;
  /** Resolves to an answer that the question accepts. Rejects with a `ToolError` when no answer can come. */
  ask(question: Question): Promise<JsonObject>;
  /**
   * Delivers answers by the keys of their questions. Answers without an open question, and unusable ones, are ignored.
   */
  deliver?(answers: JsonObject): void;
}

/** The questions of a job so far, as its worker stores them. */
export interface Talk {
  /** Capabilities that the client declared. */
  readonly capabilities: JsonObject;
  /** Digests of the open and the answered questions. */
  readonly asked: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, JsonObject>>;
  readonly open: OpenQuestions;
  /** Number of replies that the worker has read. */
  readonly seen: number;
}

/** An answer that arrived at another process, to the question with this digest. */
export interface Reply {
  readonly key: string;
  readonly digest: string;
  readonly answer: JsonObject;
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
