import { currentJob } from "../job/current-job.ts";
import type { CallResult, ClientSpan } from "../job/job-span.ts";

/** A request of undici (of Node or of an npm copy), as its channel publishes it. */
interface UndiciRequest {
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly method?: unknown;
  readonly headers?: unknown;
}

/** A request of `node:http`, as its channel publishes it. */
interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly protocol: string;
  readonly host: string;
  readonly headersSent: boolean;
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): void;
}

type Listener = (message: unknown) => void;

/**
 * Gives every outbound request of a job a client span, by the diagnostics channels of undici and `node:http`. This
 * works in bundles too, where nothing can be patched any more. Only a request that already carries the trace context of
 * its job gets a span; requests to destinations that must not get the trace context, such as the collector, get no
 * span. Returns a function that stops watching.
 */
export function watchOutbound(): () => void {
  const spans = new WeakMap<object, ClientSpan>();
  const ended = (request: unknown, result: CallResult): void => {
    if (typeof request === "object" && request !== null) spans.get(request)?.ended(result);
  };
  const start = (request: object, carried: unknown, method: unknown, address: () => string): ClientSpan | undefined => {
    const job = currentJob.getStore();
    if (job?.span?.settings.watchesCalls !== true || carried !== job.traceparent) return undefined;
    const url = URL.parse(address());
    if (url === null) return undefined;
    const span = job.span.startCall({ method: String(method), url });
    if (span !== undefined) spans.set(request, span);
    return span;
  };
  const listeners: Readonly<Record<string, Listener>> = {
    "undici:request:create": (message) => {
      const { request } = message as { readonly request: UndiciRequest };
      const { headers } = request;
      if (!Array.isArray(headers)) return;
      const at = indexOf(headers, "traceparent", 0);
      if (at < 0) return;
      if (indexOf(headers, "traceparent", at + 2) >= 0) {
        // The trace context that tenon has added is removed, since an instrumentation of the author has already made a
        // span and added its own trace context.
        for (const name of ["traceparent", "tracestate", "baggage"]) dropFirst(headers, name);
        return;
      }
      const span = start(
        request,
        headers[at + 1],
        request.method,
        () => `${String(request.origin)}${String(request.path)}`,
      );
      if (span === undefined) return;
      headers[at + 1] = span.traceparent;
      for (const pair of Object.entries(span.others ?? {})) headers.push(...pair);
    },
    "undici:request:headers": (message) => {
      const { request, response } = message as {
        readonly request: object;
        readonly response: { readonly statusCode: number };
      };
      ended(request, { status: response.statusCode });
    },
    "undici:request:error": (message) => {
      const { request, error } = message as { readonly request: object; readonly error: unknown };
      ended(request, { error });
    },
    "http.client.request.created": (message) => {
      const { request } = message as { readonly request: HttpRequest };
      // Headers that were given as a list have already been sent, so nothing can be added.
      if (request.headersSent) return;
      const host = String(request.getHeader("host") ?? request.host);
      const carried = request.getHeader("traceparent");
      const span = start(request, carried, request.method, () => `${request.protocol}//${host}${request.path}`);
      if (span === undefined) return;
      request.setHeader("traceparent", span.traceparent);
      for (const [name, value] of Object.entries(span.others ?? {})) request.setHeader(name, value);
    },
    "http.client.response.finish": (message) => {
      const { request, response } = message as {
        readonly request: object;
        readonly response: { readonly statusCode: number };
      };
      ended(request, { status: response.statusCode });
    },
    "http.client.request.error": (message) => {
      const { request, error } = message as { readonly request: object; readonly error: unknown };
      ended(request, { error });
    },
  };
  const channels = process.getBuiltinModule("node:diagnostics_channel");
  const safe = Object.entries(listeners).map(([name, listener]) => [name, guarded(listener)] as const);
  for (const [name, listener] of safe) channels.subscribe(name, listener);
  return () => {
    for (const [name, listener] of safe) channels.unsubscribe(name, listener);
  };
}

/** Index of a name in a list in which names and values alternate; -1 if it is absent. */
function indexOf(headers: readonly unknown[], name: string, from: number): number {
  for (let at = from; at < headers.length; at += 2) if (String(headers[at]).toLowerCase() === name) return at;
  return -1;
}

/** Removes the first of two headers with the same name, which tenon has added. */
function dropFirst(headers: unknown[], name: string): void {
  const at = indexOf(headers, name, 0);
  if (at >= 0 && indexOf(headers, name, at + 2) >= 0) headers.splice(at, 2);
}

/** Catches exceptions: an exception in a channel's listener would end the process. */
function guarded(listener: Listener): Listener {
  return (message) => {
    try {
      listener(message);
    } catch {
      // The error is ignored: the request continues without a span.
    }
  };
}
