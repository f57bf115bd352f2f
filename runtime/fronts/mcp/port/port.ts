import type { JsonObject } from "../../../contract/contract.ts";
import type { Caller } from "../../http/identity.ts";
import type { SentTrace } from "../../../job/trace-context.ts";
import type { JobCaller } from "../../../job/job.ts";
import type { McpCallEnd, McpInputRequired, McpPromptResult, McpResourceResult, McpTaskState } from "./answers.ts";
import type { McpPromptDescriptor, McpResourceDescriptor, McpServerInfo, McpToolPage } from "./descriptors.ts";
import type { HeaderParameter } from "./header-parameters.ts";
import type { McpSkills } from "./skills.ts";

/** Scopes of an authenticated caller: lists leave out functions that need more. */
export type Scopes = ReadonlySet<string>;

/** Data about the sender of a request that the message itself does not contain. */
export interface McpSender extends SentTrace {
  /** Value of `Authorization` that becomes `jobAuthorization`; set only for a token from the platform's gateway. */
  readonly authorization: string | undefined;
  /** The caller; set if callers are authenticated. */
  readonly caller: Caller | undefined;
  /** Revision and capabilities of an older client, if known. */
  readonly revision: string | undefined;
  readonly capabilities: JsonObject | undefined;
  /** The lowest level of log messages that an older client wants; undefined for none. */
  readonly logLevel: string | undefined;
}

/** The functions with `@prompt`. Every member throws `McpFault` for an unknown prompt or an invalid request. */
export interface McpPrompts {
  list(
    cursor?: string,
    scopes?: Scopes,
  ): { readonly prompts: readonly McpPromptDescriptor[]; readonly nextCursor?: string };
  get(name: string, args: JsonObject, context: McpCallContext): Promise<McpPromptResult | McpInputRequired>;
  /** Lists values of an argument that begin with the typed text. */
  complete(name: string, argument: string, typed: string): readonly string[];
}

/** The functions with `@resource`. Every member throws `McpFault` for an unknown resource or an invalid request. */
export interface McpResources {
  list(
    cursor?: string,
    scopes?: Scopes,
  ): { readonly resources: readonly McpResourceDescriptor[]; readonly nextCursor?: string };
  listTemplates(
    cursor?: string,
    scopes?: Scopes,
  ): {
    readonly resourceTemplates: readonly McpResourceDescriptor[];
    readonly nextCursor?: string;
  };
  read(uri: string, context: McpCallContext): Promise<McpResourceResult | McpInputRequired>;
  /** Throws unless the address belongs to a resource. */
  check(uri: string): void;
  complete(uriTemplate: string, argument: string, typed: string): readonly string[];
}

/**
 * Calls that continue as tasks. Every member throws `McpFault` for an unknown task, and for a client without the
 * extension.
 */
export interface McpTasks {
  get(taskId: string, context: McpCallContext): Promise<McpTaskState>;
  update(taskId: string, inputResponses: unknown, context: McpCallContext): Promise<void>;
  cancel(taskId: string, context: McpCallContext): Promise<void>;
}

export interface McpProgress {
  /** Progress so far; must be greater than in the previous message. */
  readonly progress: number;
  readonly message?: string;
  readonly _meta?: JsonObject;
}

/** Context of one call, from a protocol engine. */
export interface McpCallContext extends SentTrace {
  /** Aborted when the client cancels or disconnects; after that nothing more is sent. */
  readonly signal: AbortSignal;
  /** Sends progress; set when the client requested it. Settles when the message has been sent; never rejects. */
  readonly notifyProgress?: ((progress: McpProgress) => Promise<void>) | undefined;
  /** Sends a log message; set when the client wants log messages and has not requested progress. Never rejects. */
  readonly log?: ((level: "info" | "error", text: string) => Promise<void>) | undefined;
  /** Capabilities of the client for questions; empty when the client cannot be asked. */
  readonly capabilities?: JsonObject | undefined;
  /** Answers to the questions of an earlier round, and the state that the client has stored. Both are unchecked. */
  readonly inputResponses?: unknown;
  readonly requestState?: unknown;
  /** The caller and its scopes, if callers are authenticated. */
  readonly owner?: string | undefined;
  readonly scopes?: Scopes | undefined;
  readonly caller?: JobCaller | undefined;
  /** Id of the request, the revision of the protocol, and the session; for telemetry. */
  readonly requestId?: string | number | undefined;
  readonly revision?: string | undefined;
  readonly session?: string | undefined;
  /**
   * Value of `Authorization` that becomes `jobAuthorization`. Set only when the platform's gateway put it on the
   * request.
   */
  readonly authorization?: string | undefined;
}

/** Context of a call before it runs. */
export type McpStartContext = Omit<McpCallContext, "signal">;

/**
 * Cancels a call.
 *
 * @param hasLeft True if the client has only disconnected: a call of a tool with `@keep` then goes on.
 */
export type CancelCall = (hasLeft?: boolean) => void;

/** The public description of a service, available before anything runs. */
export interface McpCatalogue {
  readonly info: McpServerInfo;
  /** Instructions for models; part of `initialize` and `server/discover`. */
  readonly instructions?: string;
  /** Milliseconds that a client may cache the tool list. */
  readonly toolsTtl: number;
  /** Cache scope of lists; `private` if they depend on the caller. */
  readonly listScope: "public" | "private";
  /** True if the lists may change while the process runs; the engine is notified of changes. */
  readonly mayChange?: boolean;
  /** True if a tool has a view; clients without the extension get no views. */
  readonly hasViews?: boolean;
  /**
   * Returns a page of the tool list.
   *
   * @param capabilities The client's, from the request; undefined if it sent them only in its handshake.
   * @throws McpFault for an unknown cursor
   */
  listTools(cursor?: string, scopes?: Scopes, capabilities?: JsonObject): McpToolPage;
}

/**
 * The interface between a service and protocol engines. An engine (at present the MCP SDK and a small one for plain
 * requests) translates messages into these calls and back; it knows no tool, no job and no validator. Engines never
 * import one another, and this interface does not depend on any of them. If a service has no prompts, resources or
 * tasks, the corresponding members are missing.
 */
export interface McpPort extends McpCatalogue {
  /** Scopes that a message needs, by the tool, prompt or resource in it; empty for any other message. */
  scopesOf(method: string, params: JsonObject): readonly string[];
  /** Scopes that any function of the service needs. */
  readonly scopes: readonly string[];
  /**
   * Runs a tool to its end, to its next question, or until it becomes a task. `done` is called once, after all reports
   * through `context`; for a synchronous function, before this returns. `done` gets an `McpFault` for an unknown tool,
   * a client that lacks a capability, or an invalid `requestState`; every other failure is a result with `isError`.
   * Returns a function that cancels the call. `callTool` does the same with a promise.
   */
  startCall(name: string, args: JsonObject, context: McpStartContext, done: (end: McpCallEnd) => void): CancelCall;
  readonly prompts?: McpPrompts;
  readonly resources?: McpResources;
  readonly tasks?: McpTasks;
  readonly skills?: McpSkills;
  /** Returns the arguments of a tool that must be repeated as `Mcp-Param-*` headers; undefined if no tool has any. */
  readonly headerParameters?: ((tool: string) => readonly HeaderParameter[]) | undefined;
}
