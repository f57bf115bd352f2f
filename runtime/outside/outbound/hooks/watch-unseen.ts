import { jobIdHeader } from "../rules/decide-request.ts";
import type { OutboundContext } from "./outbound-context.ts";

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
        context.tell(
          `A copy of undici in ${callerFile()} has not been prepared by tenon: ${consequence} ` +
            "Import the package undici itself instead of a copy that is bundled into another file, and let the bundler take it into the bundle.",
        );
      }
    },
    "http.client.request.created": (message) => {
      if (context.asked > 0 || looks >= maxLooks || context.job() === undefined) return;
      if ((message as { readonly request: { readonly method?: unknown } }).request.method === "CONNECT") return;
      looks++;
      context.tell(
        `${callerFile()} took a function out of node:http or node:https before the service started: ${consequence} ` +
          `Call it as a member of the module (\`http.request(\u2026)\`), or build with esbuild, Rolldown or Vite 8, which prepare the module itself.`,
      );
    },
    "http2.client.stream.created": () => {
      if (context.job() === undefined) return;
      context.tell(
        `A tool sends requests over node:http2, which tenon does not change: ${consequence} ` +
          "Use fetch, undici or node:http where the platform's services are called.",
      );
    },
  };
  const channels = process.getBuiltinModule("node:diagnostics_channel");
  for (const [name, listener] of Object.entries(listeners)) channels.subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) channels.unsubscribe(name, listener);
  };
}

/** Common ending of these warnings. */
export const consequence =
  "requests that it sends for jobs carry neither the job's token nor its id, and do not go through PLATFORM_PROXY_URL.";

/**
 * Returns the file of the code that made the request: the first file in the stack trace after the frames of
 * `node:diagnostics_channel` and of Node.
 */
function callerFile(): string {
  const lines = String(new Error("stack").stack).split("\n");
  const below = lines.slice(lines.findLastIndex((line) => line.includes("node:diagnostics_channel")) + 1);
  const line = below.find((one) => /(?:file:\/\/|\(|at )\/|[a-z]:\\/i.test(one) && !one.includes("(node:"));
  return /(?:file:\/\/)?([^\s()]+?)(?::\d+){2}\)?$/.exec(line ?? "")?.[1] ?? "an unknown file";
}
