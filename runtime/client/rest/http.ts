import { unexpected } from "../call-error.ts";
import type { CallOptions } from "../transport.ts";

/** Settings of the connection to a service. */
export interface HttpOptions {
  /** Address of the service, with the path under which it is mounted: `https://example.org/primes`. */
  readonly url: string | URL;
  /**
   * Access token without `Bearer`, or a function that returns one. After an answer of 401 the function is called again.
   */
  readonly token?: string | ((isRefused: boolean) => string | undefined | Promise<string | undefined>) | undefined;
  /** Trace context of each call, for example that of the active span. */
  readonly traceparent?: (() => string | undefined) | undefined;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** A request to a route of the service. */
export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  readonly keepalive?: boolean;
}

/** Sends a request; `path` begins with a slash. Rejects with any error of `fetch`. */
export interface Send {
  (path: string, request: HttpRequest): Promise<Response>;
  /** Address of the service, without a slash at its end. */
  readonly base: string;
}

/** Makes the function that sends requests to one service. */
export function httpSender({ url, token, traceparent, headers: own, fetch: given = fetch }: HttpOptions): Send {
  const base = String(url).replace(/\/+$/, "");
  const tokenOf = typeof token === "function" ? token : () => token;
  const send = async (path: string, { signal, headers: of, ...request }: HttpRequest): Promise<Response> => {
    if (unfit.test(path)) throw unexpected(`${JSON.stringify(path)} is not a path of ${base}.`);
    const headers: Record<string, string> = { ...own, ...of };
    const trace = traceparent?.();
    if (trace) headers["traceparent"] ??= trace;
    const init = { ...request, headers, redirect: "manual" as const, signal: signal ?? null };
    const held = await tokenOf(false);
    const response = await answered(held);
    if (response.status !== 401) return response;
    const renewed = await tokenOf(true);
    if (!renewed || renewed === held) return response;
    await discard(response);
    return answered(renewed);

    async function answered(granted: string | undefined): Promise<Response> {
      if (granted) headers["authorization"] = `Bearer ${granted}`;
      return refuseRedirect(base + path, await given(base + path, init));
    }
  };
  return Object.assign(send, { base });
}

/** Headers of a request with JSON. */
export function jsonHeaders({ idempotencyKey, traceparent }: CallOptions): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...(traceparent && { traceparent }),
  };
}

/**
 * Paths that lead elsewhere. Unless they begin with one slash, the host may be another, and would get the token;
 * segments of dots, even encoded, lead to another route.
 */
const unfit = /^(?!\/(?!\/))|\/(\.|%2e){1,2}(?![^/?])/i;

/** Ends an answer whose body nobody reads. */
export async function discard({ body }: Response): Promise<void> {
  await body?.cancel();
}

/**
 * Encodes a segment of a path. Half a surrogate pair becomes the character that UTF-8 has for it, and nothing becomes a
 * dot, which no path may have.
 */
export function encoded(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, "\ufffd")) || ".";
}

/**
 * Returns the answer unless it is a redirect. Redirects are rejected with `unexpected`, since following one would send
 * the token, key and body of the call to another address. Browsers hide status and target of a redirect.
 */
export async function refuseRedirect(address: string, response: Response): Promise<Response> {
  const { type, status, headers } = response;
  if (type !== "opaqueredirect" && (status < 300 || status > 399 || status === 304)) return response;
  await discard(response);
  throw unexpected(`${address} redirects to ${headers.get("location") ?? "another"}. Use that.`, { status });
}

/** Makes a random id. Unlike `randomUUID`, this works in an insecure context too. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
