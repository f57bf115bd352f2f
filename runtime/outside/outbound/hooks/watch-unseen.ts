import { jobIdHeader } from "../rules/decide-request.ts";
import type { OutboundContext } from "./outbound-context.ts";
import type { Unseen } from "./unseen-warnings.ts";

type Listener = (message: unknown) => void;

interface UndiciRequest {
  readonly constructor: object;
  readonly method?: unknown;
  readonly headers?: unknown;
}

/**
 * Maximum number of requests whose caller is determined: a stack trace costs several times as much as rewriting the
 * request.
 */
const maxLooks = 100;

/**
 * Finds clients whose requests bypass the hook, by the diagnostics channels of undici, `node:http` and `node:http2`.
 * Warns once about each client. Returns a function that stops watching.
 */
export function watchUnseen(context: OutboundContext): () => void {
  const known = new WeakSet<object>();
  let looks = 0;
  const listeners: Readonly<Record<string, Listener>> = {
    "undici:request:create": (message) => {
      const { request } = message as { readonly request: UndiciRequest };
      // Each copy of undici has its own class. A copy that has sent the hook's header once uses the hook.
      if (known.has(request.constructor)) return;
      const { headers, method } = request;
      if (Array.isArray(headers) && headers.includes(jobIdHeader)) known.add(request.constructor);
      else if (context.job() !== undefined && method !== "CONNECT") {
        known.add(request.constructor);
        tellUnseen(context, "copy");
      }
    },
    "http.client.request.created": (message) => {
      if (context.asked > 0 || looks >= maxLooks || context.job() === undefined) return;
      if ((message as { readonly request: { readonly method?: unknown } }).request.method === "CONNECT") return;
      looks++;
      tellUnseen(context, "taken");
    },
    "http2.client.stream.created": () => {
      if (context.job() !== undefined) tellUnseen(context, "http2");
    },
  };
  const channels = process.getBuiltinModule("node:diagnostics_channel");
  for (const [name, listener] of Object.entries(listeners)) channels.subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) channels.unsubscribe(name, listener);
  };
}

/** Warns about a client that bypasses the hook. The texts are loaded on demand, after the stack has been read. */
export function tellUnseen(context: OutboundContext, kind: Unseen): void {
  const stack = String(new Error("stack").stack);
  void import("./unseen-warnings.ts").then(
    ({ unseenWarnings }) => context.tell(unseenWarnings[kind](stack)),
    () => {},
  );
}
