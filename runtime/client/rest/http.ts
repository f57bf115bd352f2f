import { CallError, unexpected } from "../call-error.ts";

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

/** Sends a request; `path` begins with a slash. Rejects with `unreachable`, or with the reason of the signal. */
export type Send = (path: string, request: HttpRequest) => Promise<Response>;

/** Makes the function that sends requests to one service. */
export function httpSender({ url, token, traceparent, headers: own, fetch: given = fetch }: HttpOptions): Send {
  const base = String(url).replace(/\/+$/, "");
  return async function send(path, { signal, headers: of, ...request }) {
    // A path without a leading slash would change the host name, and the token would be sent to another host.
    if (!path.startsWith("/")) throw unexpected(`${JSON.stringify(path)} is not a path of ${base}.`);
    const headers: Record<string, string> = { ...own, ...of };
    const trace = traceparent?.();
    if (trace !== undefined) headers["traceparent"] ??= trace;
    const held = typeof token === "function" ? await token(false) : token;
    if (held !== undefined) headers["authorization"] = `Bearer ${held}`;
    const init = { ...request, headers, redirect: "manual" as const, signal: signal ?? null };
    try {
      const response = await answered(base + path, init);
      if (response.status !== 401 || typeof token !== "function") return response;
      const renewed = await token(true);
      if (renewed === undefined || renewed === held) return response;
      await response.body?.cancel();
      headers["authorization"] = `Bearer ${renewed}`;
      return await answered(base + path, init);
    } catch (error) {
      throw asUnreachable(error, base + path, signal);
    }
  };

  async function answered(address: string, init: RequestInit): Promise<Response> {
    return refuseRedirect(address, await given(address, init));
  }
}

/**
 * Returns the answer unless it is a redirect. Redirects are rejected with `unexpected`, since following one would send
 * the token, key and body of the call to another address. Browsers hide status and target of a redirect.
 */
export async function refuseRedirect(address: string, response: Response): Promise<Response> {
  const { type, status, headers, body } = response;
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return response;
  await body?.cancel();
  throw unexpected(`${address} redirects to ${headers.get("location") ?? "another"}. Use that.`, { status });
}

/**
 * Converts the error of a failed connection to `unreachable`. If the signal was aborted, returns its reason; a
 * `CallError` stays as it is.
 */
export function asUnreachable(error: unknown, address: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof CallError) return error;
  if (signal?.aborted) return signal.reason;
  const { message, cause } = error as Error;
  const why = (cause as Error | undefined)?.message || message;
  return new CallError("unreachable", `${address} cannot be reached: ${why}.`, { cause: error });
}

/** Makes a random id. Unlike `randomUUID`, this works in an insecure context too. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
