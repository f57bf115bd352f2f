import { fetchService, needsToken } from "../base/fetch-service.ts";
import { CommandError } from "../base/usage.ts";

/** The requests of a client, and the failure of its last request, in words for the user of a command. */
export interface WatchedAnswers {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Undefined if the last request was answered with MCP. */
  readonly failure: Error | undefined;
}

/** A client tries several requests with a server, so an answer counts as a failure only if no other answer follows. */
export function watchAnswers(): WatchedAnswers {
  let failure: Error | undefined;
  return {
    async fetch(url, init) {
      try {
        const response = await fetchService(String(url), init);
        // Only `POST` requests count: other requests ask for a stream, which a server need not support.
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
  // A REST answer, from a service that does not serve MCP at this address.
  if (typeof detail === "string") return new CommandError(`${url}: ${detail}`);
  return new CommandError(`${url} answered ${status} with ${type}, which is not MCP: is this a tenon service?`);
}
