import type { Client } from "@modelcontextprotocol/client";
import type * as official from "@modelcontextprotocol/client";
import { CallError } from "../call-error.ts";
import { refuseRedirect } from "../rest/http.ts";
import { readProblem } from "../rest/read-answer.ts";
import { boundedAnswer } from "./bounded-answer.ts";

/** The parts of the package `@modelcontextprotocol/client` that a connection uses. */
export type OfficialPackage = Pick<typeof official, "Client" | "StreamableHTTPClientTransport">;

/** A transport of the official client. */
export type OfficialTransport = Parameters<Client["connect"]>[0];

/** Makes the official client's transport over HTTP. Answers of another kind fail with a `CallError`. */
export function overHttp(
  { StreamableHTTPClientTransport }: OfficialPackage,
  { url, token, headers, fetch: given = fetch }: McpServer,
): OfficialTransport {
  const address = String(url);
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: send });
  const sendMessage = transport.send.bind(transport);
  transport.send = (message, options) => {
    const id = idOf(message);
    // The official client waits for ever when the stream of a request ends without an answer.
    const onRequestStreamEnd = (): void => {
      if (id !== undefined) transport.onmessage?.(errorMessage(id, "The connection ended.", ended(address)) as never);
    };
    return sendMessage(message, { onRequestStreamEnd, ...options });
  };
  return transport as OfficialTransport;

  async function send(to: string | URL, init: RequestInit = {}): Promise<Response> {
    const all = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value);
    const held = typeof token === "function" ? await token() : token;
    if (held !== undefined) all.set("authorization", `Bearer ${held}`);
    const { signal, body, ...rest } = init;
    const ends = signal && !isCancellation(init) && { signal };
    const request = { ...rest, headers: all, redirect: "manual" as const, ...(body && { body }), ...ends };
    const response = await refuseRedirect(String(to), await given(to, request));
    // Other statuses tell the official client which revision of MCP the server has.
    if ([401, 403, 429].includes(response.status) || response.status >= 500) throw await readProblem(response, address);
    return boundedAnswer(response, address, (reason) => {
      const id = typeof body === "string" ? idOf(JSON.parse(body)) : undefined;
      return id === undefined ? undefined : errorMessage(id, reason);
    });
  }
}

function ended(address: string): CallError {
  return new CallError("unreachable", `${address} ended the connection before it answered.`);
}

/** An error as the server would send it. */
function errorMessage(id: string | number, message: string, data?: CallError): object {
  return { jsonrpc: "2.0", id, error: { code: -32_603, message, ...(data && { data }) } };
}

/** Id of a request; undefined for other messages. */
function idOf(message: unknown): string | number | undefined {
  const { method, id } = Object(message) as { readonly method?: unknown; readonly id?: string | number };
  return method === undefined ? undefined : id;
}

/**
 * True for a cancellation. It must be sent even when the connection is closed right after it, which aborts all other
 * requests.
 */
function isCancellation({ body }: RequestInit): boolean {
  return typeof body === "string" && body.includes('"method":"notifications/cancelled"');
}

/** A server that is reached by its URL. */
export interface McpServer {
  /** Address of the MCP endpoint, for example `https://primes.example.org/mcp`. */
  readonly url: string | URL;
  /** Access token without `Bearer`, or a function that returns one for each request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: ((url: string | URL, init?: RequestInit) => Promise<Response>) | undefined;
}
