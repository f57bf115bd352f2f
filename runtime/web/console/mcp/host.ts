import { asText, recordIn, textIn, toJson } from "../base/json.ts";
import type { Client } from "../client/client.ts";
import type { JsonObject, Wire } from "./wire.ts";

/** A request to a service, with data that the host needs to send it. */
export interface Ask {
  readonly method: string;
  readonly params: JsonObject;
  readonly signal?: AbortSignal;
  /** Called with each notification about the request, as a line. */
  readonly tell?: (line: string) => void;
}

/** Creates the page's MCP host, for one revision of the protocol. */
export type Connect = (client: Client, wire: Wire) => Host;

/**
 * Subscribes to the changes of a resource; `updated` is called with each. Resolves to a function that ends the
 * subscription.
 */
export type Subscribe = (uri: string, updated: () => void) => Promise<() => void>;

/** The page as an MCP host of its service. */
export interface Host {
  readonly wire: Wire;
  /** Opens the connection; resolves to the service's description of itself. */
  open(): Promise<JsonObject>;
  /**
   * Sends a request and returns its result, after all questions, also if the call becomes a task. Rejects with the
   * service's own error message.
   */
  request(ask: Ask): Promise<JsonObject>;
  /** Absent if the revision has no subscriptions to single resources, or the service offers none. */
  readonly subscribe?: Subscribe;
  close(): void;
}

/** Description of this host, and its capabilities for questions. */
export const clientInfo = { name: "tenon-console", title: "tenon console", version: "1" };
export const clientCapabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** Returns the result of a response. Throws an error with the service's own message; its cause is the error's data. */
export function resultOf(message: JsonObject): JsonObject {
  const error = recordIn(message, "error");
  if (message["error"] === undefined) return recordIn(message, "result");
  throw new Error(`${asText(error["message"])} (${toJson(error["code"])})`, { cause: error["data"] });
}

/** Formats a notification as a line for people; undefined for a notification that is not about a call. */
export function lineOf(message: JsonObject): string | undefined {
  const params = recordIn(message, "params");
  switch (message["method"]) {
    case "notifications/progress":
      return [toJson(params["progress"]), textIn(params, "message")].filter(Boolean).join(" · ");
    case "notifications/message":
      return `${textIn(params, "level")}: ${asText(params["data"]) ?? toJson(params["data"])}`;
    default:
      return undefined;
  }
}

/** Resolves after some milliseconds, at once when the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
