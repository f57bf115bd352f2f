import { createAccessRules } from "../fronts/http/middleware/access-rules.ts";
import type { AuthOptions } from "../service/config/auth-config.ts";
import type { Service } from "../service/service.ts";
import { createWebService, servedInApp } from "./parts/web-service.ts";

export interface FetchHandlerOptions {
  /**
   * Path under which the application mounts the handler, for example `/api`. Addresses in responses begin with it.
   * Requests are accepted with or without this prefix.
   */
  readonly basePath?: string;
  /** Maximum size of a request body in bytes, as in `startLambdaServer`. */
  readonly bodyLimit?: number;
  /** Status of an answer without a result, as in `startLambdaServer`. */
  readonly deferredStatus?: 202 | 204;
  /** As for `startLambdaServer`: callers need an access token; missing options are taken from `TENON_AUTH_*`. */
  readonly auth?: AuthOptions;
}

/** Answers requests for the tools of a service. Never rejects. */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  /**
   * Accepts no more calls, gives running ones `PLATFORM_SHUTDOWN_GRACE` to end, aborts the rest, and awaits `onStop`.
   */
  stop(): Promise<void>;
}

/**
 * REST and MCP of all tools as one function from `Request` to `Response`, for Hono, Next.js, Express by an adapter,
 * Bun, Deno and serverless hosts. Call it after the tools' modules were imported. Nothing is opened before the first
 * request.
 *
 * ```ts
 * const handler = createFetchHandler(new Service({ name: "Prime numbers" }));
 * Deno.serve(handler);
 * ```
 *
 * @throws StartError when there are no tools, or when a variable of the environment is wrong
 */
export function createFetchHandler(service: Service, options: FetchHandlerOptions = {}): FetchHandler {
  const { served, config } = servedInApp(service, "createFetchHandler", options);
  const base = readBase(options.basePath);
  const { answer, stop } = createWebService(served, config, {
    bodyLimit: options.bodyLimit ?? config.limits.body,
    deferredStatus: options.deferredStatus,
    base,
    mcpPath: "/mcp",
    // Host is checked only against a configured list, since the host application decides under which names the handler
    // is reached.
    access: createAccessRules({ ...config, takesAnyName: true }),
    failure: "The service cannot be served",
  });
  const handle = (request: Request): Promise<Response> =>
    answer(request, { path: withoutBase(new URL(request.url).pathname, base), address: undefined });
  return Object.assign(handle, { stop });
}

function readBase(text: string | undefined): string {
  const base = (text ?? "").replace(/\/+$/, "");
  if (base === "" || /^(?:\/[\w.~%-]+)+$/.test(base)) return base;
  throw new TypeError(`basePath: ${JSON.stringify(text)} is not a path; write one such as "/api".`);
}

/** Removes the prefix from a path, unless the application has already removed it. */
function withoutBase(path: string, base: string): string {
  return base !== "" && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
