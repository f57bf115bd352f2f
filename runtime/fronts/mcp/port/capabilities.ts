import type { JsonObject } from "../../../contract/contract.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import { viewExtension, viewType } from "../../../contract/view.ts";
import { skillsExtension } from "./skills.ts";

/** Name of the extension in capabilities. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** `modern`: revision 2026-07-28. `legacy`: every older one. */
export type Era = "modern" | "legacy";

/** Optional parts of an `McpPort`; a service does not support parts that are undefined. */
export interface McpParts {
  readonly prompts?: unknown;
  readonly resources?: unknown;
  readonly tasks?: unknown;
  readonly skills?: unknown;
  readonly mayChange?: boolean;
  readonly hasViews?: boolean;
}

/**
 * Returns the server's capabilities, for `initialize` and `server/discover`.
 *
 * @param hasStream True if notifications can reach the client outside of its requests.
 */
export function serverCapabilities(
  { prompts, resources, tasks, skills, mayChange, hasViews }: McpParts,
  era: Era,
  hasStream: boolean = era === "modern",
): JsonObject {
  // Changes of lists are announced only if there is a stream for notifications, which an older client without a session
  // does not have.
  const list = mayChange === true && hasStream ? { listChanged: true } : {};
  const extensions = {
    ...(tasks !== undefined && { [tasksExtension]: {} }),
    ...(skills !== undefined && { [skillsExtension]: { directoryRead: true } }),
    ...(hasViews === true && { [viewExtension]: {} }),
  };
  return {
    tools: list,
    ...(prompts !== undefined && { prompts: list }),
    ...(resources !== undefined && { resources: era === "legacy" ? { ...list, subscribe: true } : list }),
    ...((prompts !== undefined || resources !== undefined) && { completions: {} }),
    // Logging is offered to older clients only: newer clients request log messages per call, and the capability is
    // deprecated for them.
    ...(era === "legacy" && { logging: {} }),
    ...(era === "modern" && Object.keys(extensions).length > 0 && { extensions }),
  };
}

/**
 * Returns the valid capabilities in an older client's handshake. Extensions are removed, since they belong to the
 * newest revision: a client that supports both revisions may name extensions in either handshake, but would read a task
 * as the result of its call.
 */
export function legacyCapabilities(declared: JsonObject): JsonObject {
  const { extensions: _unknown, ...known } = declared;
  return known;
}

/**
 * True for a client that shows views. Also true if capabilities are not sent with each request: such a client ignores
 * views that it cannot show.
 */
export function showsViews(declared: JsonObject | undefined): boolean {
  if (declared === undefined) return true;
  const { extensions } = declared;
  const extension = isObject(extensions) ? extensions[viewExtension] : undefined;
  const types = isObject(extension) ? extension["mimeTypes"] : undefined;
  return Array.isArray(types) && types.includes(viewType);
}
