import type { IncomingMessage, Server } from "node:http";
import { metadataPaths } from "../fronts/auth/resource-metadata.ts";
import { createAccessRules } from "../fronts/http/middleware/access-rules.ts";
import type { AuthOptions } from "../service/config/auth-config.ts";
import type { Service } from "../service/service.ts";
import { getLogger } from "../telemetry/log/logging.ts";
import { createWebService, servedInApp } from "./parts/web-service.ts";

/** The part of a Hono app that is used; every version has it. */
export interface AppWithRoutes {
  all(path: string, handler: (context: RouteContext) => Promise<Response>): unknown;
}

/** The part of a Hono context that is used. `env.incoming` exists on Node. */
export interface RouteContext {
  readonly req: { readonly raw: Request };
  readonly env?: unknown;
}

export interface RegisteredMcp {
  /** Stops accepting calls, gives running ones `PLATFORM_SHUTDOWN_GRACE` to end, and aborts the rest. */
  stop(): Promise<void>;
}

export interface RegisterMcpOptions {
  /** Requires an access token, as in `startLambdaServer`. Defaults come from `TENON_AUTH_*`. */
  readonly auth?: AuthOptions;
}

/**
 * Adds an MCP endpoint with all tools of the process to your own Hono app. Call it after the tools' modules were
 * imported. Host and Origin are checked as in `startLambdaServer`.
 *
 * ```ts
 * registerMcp(app, new Service({ name: "Prime numbers" }));
 * ```
 *
 * @throws StartError when there are no tools, or when a variable of the environment is invalid
 */
export function registerMcp(
  app: AppWithRoutes,
  service: Service,
  path = "/mcp",
  options: RegisterMcpOptions = {},
): RegisteredMcp {
  const { served, config } = servedInApp(service, "registerMcp", options);
  const { open, answer, stop } = createWebService(served, config, {
    bodyLimit: config.limits.body,
    mcpPath: path,
    // The app answers health probes itself, so no path here works without a token or is exempt from the rate limit.
    open: new Set(),
    uncounted: new Set(),
    access: createAccessRules({ ...config, warn: (line) => getLogger("tenon").warn(line) }),
    failure: "MCP cannot be served",
  });
  // Opened at once, since `onStart` takes time, and the first request should not wait. A failure is logged, and the
  // next request tries again.
  void open().then((telemetry) => telemetry?.metricsText && warnOfMetrics());
  for (const at of [path, ...(config.auth === undefined ? [] : metadataPaths(config.auth, path))])
    app.all(at, (context) => {
      return answer(context.req.raw, { path: at, address: incomingOf(context)?.socket.remoteAddress });
    });
  return { stop };
}

/**
 * Warns that `/metrics` is not added, because the routes of the app belong to its author, who has not requested this
 * one.
 */
function warnOfMetrics(): void {
  const { OTEL_EXPORTER_PROMETHEUS_HOST: host, OTEL_EXPORTER_PROMETHEUS_PORT: port } = process.env;
  if ((host ?? "").trim() !== "" || (port ?? "").trim() !== "") return;
  getLogger("tenon").warn(
    "TENON_METRICS, OTEL_METRICS_EXPORTER=prometheus: registerMcp adds no /metrics to your app. Set OTEL_EXPORTER_PROMETHEUS_PORT, " +
      "and the metrics have a listener of their own.",
  );
}

/** Node's own request, if the app runs on Node. */
function incomingOf({
  env,
}: RouteContext): (IncomingMessage & { readonly socket: { readonly server?: Server } }) | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: ReturnType<typeof incomingOf> };
  return incoming?.socket === undefined ? undefined : incoming;
}
