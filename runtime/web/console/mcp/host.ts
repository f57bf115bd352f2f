import { asText, recordIn, textIn, toJson } from "../base/json.ts";
import type { Client } from "../client/client.ts";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject, Wire } from "./wire.ts";

/** A request with what only a host knows of it. */
export interface Ask {
  readonly method: string;
  readonly params: JsonObject;
  /** Schema of the arguments of a tool: parts of them may be repeated as headers. */
  readonly schema?: Schema | undefined;
  readonly signal?: AbortSignal;
  /** Called with each notification about the request, as a line. */
  readonly tell?: (line: string) => void;
}

/** Makes the host of a revision. */
export type Connect = (client: Client, wire: Wire) => Host;

/** The page as an MCP host of its service. */
export interface Host {
  readonly wire: Wire;
  /** Begins; resolves to what the service says of itself. */
  open(): Promise<JsonObject>;
  /** The result of a request, after all questions and as a task, too. Rejects with the error's own words. */
  request(ask: Ask): Promise<JsonObject>;
  close(): void;
}

/** Information about this host, and what it can be asked. */
export const clientInfo = { name: "tenon-console", title: "tenon console", version: "1" };
export const clientCapabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** The result of a response. Throws its error in the service's own words. */
export function resultOf(message: JsonObject): JsonObject {
  const error = recordIn(message, "error");
  if (message["error"] === undefined) return recordIn(message, "result");
  throw new Error(`${asText(error["message"])} (${toJson(error["code"])})`);
}

/** A notification as a line for people; undefined for one that says nothing about a call. */
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
