import type { JsonObject } from "../../../contract/contract.ts";
import type { Caller } from "../../http/caller.ts";
import type { JobCaller } from "../../../job/job.ts";
import type { McpCallEnd, McpInputRequired, McpPromptResult, McpResourceResult, McpTaskState } from "./answers.ts";
import type { McpPromptDescriptor, McpResourceDescriptor, McpServerInfo, McpToolPage } from "./descriptors.ts";
import type { HeaderParameter } from "./header-parameters.ts";

/** What a caller is allowed, where callers are authenticated: lists leave out what needs more. */
export type Scopes = ReadonlySet<string>;

/** Who sent a request. */
export interface McpSender {
  /** Becomes `jobAuthorization`; only what the platform's gateway sent may be given. */
  readonly authorization: string | undefined;
  /** Where callers are authenticated. */
  readonly caller: Caller | undefined;
}

/** The functions with `@prompt`. Every member throws `McpFault` for what is unknown or cannot be done. */
export interface McpPrompts {
  list(
    cursor?: string,
    scopes?: Scopes,
  ): { readonly prompts: readonly McpPromptDescriptor[]; readonly nextCursor?: string };
  get(name: string, args: JsonObject, context: McpCallContext): Promise<McpPromptResult | McpInputRequired>;
  /** Values that an argument may have and that begin with what has been typed. */
  complete(name: string, argument: string, typed: string): readonly string[];
}

/** The functions with `@resource`. Every member throws `McpFault` for what is unknown or cannot be done. */
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

/** Calls that went on as tasks. Every member throws `McpFault` for an unknown task, and for a client without the extension. */
export interface McpTasks {
  get(taskId: string, context: McpCallContext): Promise<McpTaskState>;
  update(taskId: string, inputResponses: unknown, context: McpCallContext): Promise<void>;
  cancel(taskId: string, context: McpCallContext): Promise<void>;
}

export interface McpProgress {
  /** Greater than the one before. */
  readonly progress: number;
  readonly message?: string;
}

/** What a protocol engine knows of one call beside its arguments. */
export interface McpCallContext {
  /** Aborted when the client cancels or goes away; nothing more is sent then. */
  readonly signal: AbortSignal;
  /** Present when the client asked for progress. Settles when the message is on its way; never rejects. */
  readonly notifyProgress?: ((progress: McpProgress) => Promise<void>) | undefined;
  /** Present when the client wants to read along, and did not ask for progress. Never rejects. */
  readonly log?: ((level: "info" | "error", text: string) => Promise<void>) | undefined;
  /** What the client can be asked; empty where it cannot be reached. */
  readonly capabilities?: JsonObject | undefined;
  /** Answers to what an earlier round of the call asked, and what that round gave the client to keep. Not checked. */
  readonly inputResponses?: unknown;
  readonly requestState?: unknown;
  /** Who calls, when callers are authenticated, and what they are allowed. */
  readonly owner?: string | undefined;
  readonly scopes?: Scopes | undefined;
  readonly caller?: JobCaller | undefined;
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  /** Becomes `jobAuthorization`. Only there when the platform's gateway put it on the request. */
  readonly authorization?: string | undefined;
}

/** What is known of a call beside its arguments before it runs. */
export type McpStartContext = Omit<McpCallContext, "signal">;

/** What a service shows of itself before anything runs. */
export interface McpCatalogue {
  readonly info: McpServerInfo;
  /** How to use the server, for models; part of `initialize` and `server/discover`. */
  readonly instructions?: string;
  /** Milliseconds that a client may keep the tool list. */
  readonly toolsTtl: number;
  /** Who may share a list that was fetched; `private` where lists depend on the caller. */
  readonly listScope: "public" | "private";
  /** The lists may become others while the process lives, and the engine will be told. */
  readonly mayChange?: boolean;
  /** @throws McpFault for a cursor that this server did not make. */
  listTools(cursor?: string, scopes?: Scopes): McpToolPage;
}

/**
 * The seam between what a service offers and whatever speaks the protocol. An engine (the SDK today) translates wire
 * messages to these calls and back; it knows no tool, no job and no validator. Engines never import one another, and
 * the port imports none. A service without prompts, resources or tasks has a port without these members.
 */
export interface McpPort extends McpCatalogue {
  /** Scopes that a message needs, by the tool, prompt or resource that it names; empty for any other message. */
  scopesOf(method: string, params: JsonObject): readonly string[];
  /**
   * Runs a tool to its end, to its next question, or until it has become a task. `done` is called once, before this
   * returns where the function is synchronous; what `context` has to report is reported before. It gets an `McpFault` for
   * an unknown tool, a client that lacks a capability, or a bad `requestState`; every other failure is a result with
   * `isError`. Returns a function that cancels the call. `callTool` is the same by a promise.
   */
  startCall(name: string, args: JsonObject, context: McpStartContext, done: (end: McpCallEnd) => void): () => void;
  readonly prompts?: McpPrompts;
  readonly resources?: McpResources;
  readonly tasks?: McpTasks;
  /** Arguments of the tool that must be repeated as `Mcp-Param-*` headers; empty for an unknown tool. */
  headerParameters(tool: string): readonly HeaderParameter[];
}
