import type { IncomingMessage, Server } from "node:http";
import { metadataPaths } from "../fronts/auth/resource-metadata.ts";
import { createAccessRules, type AccessRules } from "../fronts/http/access-rules.ts";
import { toResponse } from "../fronts/http/answer.ts";
import { openCors } from "../fronts/http/open-cors.ts";
import { problemAnswer } from "../fronts/http/problem.ts";
import { answerWithCors, passWebDoor } from "../fronts/http/web-door.ts";
import { refuse } from "../fronts/mcp/http/refuse.ts";
import type { AuthOptions } from "../service/config/auth-config.ts";
import { readConfig } from "../service/config/config.ts";
import { resolveVersion, type Service } from "../service/service.ts";
import type { Served } from "../service/served.ts";
import { resolveOffers } from "../service/tools/resolve-offers.ts";
import { resolveTools } from "../service/tools/resolve-tools.ts";
import { openedOnce } from "./opened-once.ts";
import { getLogger } from "../telemetry/log/logging.ts";
import { closeWebWorkplace, openWebWorkplace, warnOfThreads } from "./web-workplace.ts";

/** Paths of the app that need no token: probes are its own. */
const noPaths: ReadonlySet<string> = new Set();

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
  const config = readConfig(process.env, [], options);
  const version = resolveVersion(service, config.version, process.cwd());
  const served: Served = { service, version, tools: resolveTools(), offers: resolveOffers() };
  warnOfThreads(served.tools, "registerMcp");
  const opening = openedOnce(
    () => openWebWorkplace(served, config, { mcpPath: path, open: noPaths, bodyLimit: config.limits.body }),
    "MCP cannot be served",
  );
  // At once: `onStart` takes its time before the first request. A failure is in the log, and the next request tries again.
  opening.value().then(
    ({ metricsText }) => metricsText && warnOfMetrics(),
    () => {},
  );
  let access: AccessRules | undefined;
  const cors = openCors(config.allowedOrigins);
  const enter = async (context: RouteContext, at: string): Promise<Response> => {
    access ??= createAccessRules({ ...config, host: boundAddress(context) });
    const { raw } = context.req;
    const { gate, mcp } = await opening.value();
    const address = incomingOf(context)?.socket.remoteAddress;
    const admission = await passWebDoor(raw, { path: at, address }, access, gate);
    if (admission.answer !== undefined) return toResponse(admission.answer);
    return mcp.answer(raw, admission.caller);
  };
  for (const at of config.auth === undefined ? [] : metadataPaths(config.auth, path))
    app.all(at, (context) =>
      answerWithCors(context.req.raw, cors, () =>
        enter(context, at).catch((thrown: unknown) => toResponse(problemAnswer(thrown))),
      ),
    );
  app.all(path, (context) => answerWithCors(context.req.raw, cors, () => enter(context, path).catch(refuse)));
  return {
    async stop() {
      const opened = await opening.settled();
      if (opened !== undefined) await closeWebWorkplace(opened, config);
    },
  };
}

/** Routes of the app are its author's, and one for metrics is not among those that were asked for. */
function warnOfMetrics(): void {
  const { OTEL_EXPORTER_PROMETHEUS_HOST: host, OTEL_EXPORTER_PROMETHEUS_PORT: port } = process.env;
  if ((host ?? "").trim() !== "" || (port ?? "").trim() !== "") return;
  getLogger("tenon").warn(
    "TENON_METRICS, OTEL_METRICS_EXPORTER=prometheus: registerMcp adds no /metrics to your app. Set OTEL_EXPORTER_PROMETHEUS_PORT, " +
      "and the metrics have a listener of their own.",
  );
}

/** The address that the app's server listens on: only on loopback must every request name this machine. */
function boundAddress(context: RouteContext): string {
  const address = incomingOf(context)?.socket.server?.address();
  return typeof address === "object" && address !== null ? address.address : "0.0.0.0";
}

/** Node's own request, if the app runs on Node. */
function incomingOf({
  env,
}: RouteContext): (IncomingMessage & { readonly socket: { readonly server?: Server } }) | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: ReturnType<typeof incomingOf> };
  return incoming?.socket === undefined ? undefined : incoming;
}
