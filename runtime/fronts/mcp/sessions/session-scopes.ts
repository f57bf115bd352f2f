import type { Caller } from "../../http/identity.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpPort } from "../port/port.ts";

/**
 * The scopes of a session. Its streams have answers and questions of all its calls, and an answer or a cancellation may
 * be for any of them: whoever may not make a call must not have them by another token of the same user.
 */
export class SessionScopes {
  readonly #port: () => McpPort;
  readonly #needed = new Set<string>();

  constructor(port: () => McpPort) {
    this.#port = port;
  }

  /**
   * Checks a request over HTTP. What a call itself needs has been checked.
   *
   * @param body A message, or a batch of them; undefined for any method but `POST`
   * @throws ToolError `insufficient-scope`
   */
  check(caller: Caller | undefined, body: unknown): void {
    if (caller === undefined) return;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    if (!messages.every(isRequest)) caller.require([...this.#needed]);
    // An answer can be of another tool's job, which these scopes gave.
    for (const scope of this.#port().scopes) if (caller.scopes.has(scope)) this.#needed.add(scope);
  }
}

function isRequest(message: unknown): boolean {
  return isRecord(message) && typeof message["method"] === "string" && message["id"] !== undefined;
}
