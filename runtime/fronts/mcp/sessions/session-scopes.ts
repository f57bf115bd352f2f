import type { Caller } from "../../http/identity.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpPort } from "../port/port.ts";

/**
 * The scopes of a session. Its streams contain answers and questions of all its calls, and an answer or a cancellation
 * may concern any of them: another token of the same user, with fewer scopes, must not give access to them.
 */
export class SessionScopes {
  readonly #port: () => McpPort;
  readonly #needed = new Set<string>();

  constructor(port: () => McpPort) {
    this.#port = port;
  }

  /**
   * Checks that the caller has the scopes for an MCP request over HTTP. Scopes of the called tool were checked before.
   *
   * @param body A message, or a batch of them; undefined for any method but `POST`
   * @throws ToolError `insufficient-scope`
   */
  check(caller: Caller | undefined, body: unknown): void {
    if (caller === undefined) return;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    if (!messages.every(isRequest)) caller.require([...this.#needed]);
    // For an answer, the session needs all scopes that this caller has, since the answer may belong to a job of another
    // tool.
    for (const scope of this.#port().scopes) if (caller.scopes.has(scope)) this.#needed.add(scope);
  }
}

/** True for a message that gets an answer. */
export function isRequest(message: unknown): boolean {
  return isObject(message) && typeof message["method"] === "string" && message["id"] !== undefined;
}
