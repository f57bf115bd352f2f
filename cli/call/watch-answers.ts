import { fetchService, needsToken } from "../base/fetch-service.ts";
import { CommandError } from "../base/usage.ts";

/** Requests of a client, and what went wrong with the last one in words for the user of a command. */
export interface WatchedAnswers {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Undefined where the last request was answered with MCP. */
  readonly failure: Error | undefined;
}

/** The client tries several things with a server, so an answer is a failure only when nothing came after it. */
export function watchAnswers(): WatchedAnswers {
  let failure: Error | undefined;
  return {
    async fetch(url, init) {
      try {
        const response = await fetchService(String(url), init);
        // Others ask for a stream that a server need not have.
        if (init?.method === "POST") failure = await failureOf(response);
        return response;
      } catch (error) {
        failure = error as Error;
        throw error;
      }
    },
    get failure() {
      return failure;
    },
  };
}

async function failureOf(response: Response): Promise<Error | undefined> {
  const { status, url, headers } = response;
  if (status === 401) return new CommandError(needsToken);
  if (status === 202) return undefined;
  const type = headers.get("content-type") ?? "no content type";
  if (type.startsWith("text/event-stream")) return undefined;
  const message = await response
    .clone()
    .json()
    .catch(() => undefined);
  const { jsonrpc, detail } = Object(message) as { readonly jsonrpc?: unknown; readonly detail?: unknown };
  if (jsonrpc !== undefined) return undefined;
  // An answer of REST, where MCP is not served.
  if (typeof detail === "string") return new CommandError(`${url}: ${detail}`);
  return new CommandError(`${url} answered ${status} with ${type}, which is not MCP: is this a tenon service?`);
}
