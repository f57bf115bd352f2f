import type { JsonObject } from "../../../contract/contract.ts";

/** Name of the extension in capabilities. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** `modern`: revision 2026-07-28. `legacy`: every older one. */
export type Era = "modern" | "legacy";

/** The parts of a port that not every service has; whatever is not undefined is there. */
export interface McpParts {
  readonly prompts?: unknown;
  readonly resources?: unknown;
  readonly tasks?: unknown;
  readonly mayChange?: boolean;
}

/** What a server says it can do, in `initialize` and `server/discover`. */
export function serverCapabilities({ prompts, resources, tasks, mayChange }: McpParts, era: Era): JsonObject {
  // Older clients have no session that a notification could reach them in.
  const list = mayChange === true && era === "modern" ? { listChanged: true } : {};
  return {
    tools: list,
    ...(prompts !== undefined && { prompts: list }),
    ...(resources !== undefined && { resources: era === "legacy" ? { subscribe: true } : list }),
    ...((prompts !== undefined || resources !== undefined) && { completions: {} }),
    // Newer clients ask for log messages call by call, and the capability is deprecated for them.
    ...(era === "legacy" && { logging: {} }),
    ...(era === "modern" && tasks !== undefined && { extensions: { [tasksExtension]: {} } }),
  };
}

/**
 * What an older client's handshake says that counts. Extensions belong to the newest revision: a client of both may name
 * them in either handshake, and yet would take a task for the result of its call.
 */
export function legacyCapabilities(declared: JsonObject): JsonObject {
  const { extensions: _unknown, ...known } = declared;
  return known;
}
