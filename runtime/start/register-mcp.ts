import type { IncomingMessage, Server } from "node:http";
import type { AuthOptions } from "../service/config/auth-config.ts";
import type { Authenticator } from "../fronts/auth/authenticator.ts";
import { resourceMetadata } from "../fronts/auth/resource-metadata.ts";
import { readConfig, type Config } from "../service/config/config.ts";
import { ToolError } from "../base/errors.ts";
import { createAccessRules, type AccessRules } from "../fronts/http/access-rules.ts";
import { toResponse } from "../fronts/http/answer.ts";
import { problemAnswer } from "../fronts/http/problem.ts";
import { addressOf, createRateLimit } from "../fronts/http/rate-limit.ts";
import { createExecutor } from "../executor/executor.ts";
import { createMemoryStore } from "../executor/store/memory.ts";
import { startOutbound } from "../clients/outbound/start-outbound.ts";
import { createDelivery } from "../clients/platform/delivery/delivery.ts";
import { platformSettings } from "../service/config/platform-settings.ts";
import type { Delivery } from "../clients/platform/delivery/delivery-to-log.ts";
import { resolveOffers } from "../service/tools/resolve-offers.ts";
import { resolveTools } from "../service/tools/resolve-tools.ts";
import { resolveVersion, type Service } from "../service/service.ts";
import { answerHttp, methodNotAllowed, refusal } from "../fronts/mcp/http/http-route.ts";
import type { Tool } from "../service/tools/tool.ts";
import { getLogger } from "../telemetry/log/logging.ts";
import { deferTelemetry } from "../telemetry/deferred-telemetry.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import { lazyEngine } from "../fronts/mcp/sdk/lazy-engine.ts";
import { createPlainWeb } from "../fronts/mcp/plain/answer-http.ts";
import { readWebJson } from "../fronts/mcp/http/read-web-json.ts";
import { reportEngineError } from "../fronts/mcp/port/report-engine-error.ts";
import { servicePort } from "../fronts/mcp/service-port.ts";

/** Bytes that a request body may have. */
const bodyLimit = 1024 * 1024;

/** What is needed of a Hono app; every version has it. */
export interface AppWithRoutes {
  all(path: string, handler: (context: RouteContext) => Promise<Response>): unknown;
}

/** What is needed of a Hono context. `env.incoming` is there on Node. */
export interface RouteContext {
  readonly req: { readonly raw: Request };
  readonly env?: unknown;
}

export interface RegisteredMcp {
  /** Takes no more calls, gives running ones `PLATFORM_SHUTDOWN_GRACE` to end, and aborts the rest. */
  stop(): Promise<void>;
}

export interface RegisterMcpOptions {
  /** As for `startLambdaServer`: callers need an access token; what is left out comes from `TENON_AUTH_*`. */
  readonly auth?: AuthOptions;
}

/**
 * Adds an MCP endpoint with all tools of the process to a Hono app of your own. Call it after the tools' modules were
 * imported. Host and Origin are checked as `startLambdaServer` does.
 *
 * ```ts
 * registerMcp(app, new Service({ name: "Prime numbers" }));
 * ```
 *
 * @throws StartError when there are no tools, or when a variable of the environment is wrong
 */
export function registerMcp(
  app: AppWithRoutes,
  service: Service,
  path = "/mcp",
  options: RegisterMcpOptions = {},
): RegisteredMcp {
  const config = readConfig(process.env, [], options);
  const tools = resolveTools();
  const offers = resolveOffers();
  const version = resolveVersion(service, config.version, process.cwd());
  const telemetry = deferTelemetry(startTelemetry({ served: { service, version }, config, kind: "server" }));
  const { jobs: observer, calls } = telemetry;
  const stopOutbound = startOutbound(config.outbound);
  const delivery = createDelivery(config);
  warnOfThreads(tools);
  const executor = createExecutor({
    tools,
    store: createMemoryStore(),
    sinks: delivery.sinks,
    observer,
    threads: false,
    platform: platformSettings(config),
  });
  const port = servicePort({
    service,
    version,
    tools,
    offers,
    stateKey: config.stateKey,
    jobTools: config.jobTools,
    hasCallers: config.auth !== undefined,
    executor,
    delivery,
    calls,
  });
  void delivery.redeliver();
  const engine = lazyEngine(() => port);
  const onPlatform = config.platformBaseUrl !== undefined;
  const answerPlainly = createPlainWeb(port, onPlatform);
  const authenticator = authenticatorOf(config);
  const limit = config.rateLimit === undefined ? undefined : createRateLimit(config.rateLimit);
  let access: AccessRules | undefined;
  const checkAccess = (context: RouteContext): void => {
    const { raw } = context.req;
    access ??= createAccessRules({ ...config, host: boundAddress(context) });
    const host = raw.headers.get("host") ?? new URL(raw.url).host;
    const refused = access(host, raw.headers.get("origin") ?? undefined, false);
    if (refused !== undefined) throw new ToolError("forbidden", refused);
  };
  if (config.auth !== undefined) {
    const all = [...tools, ...offers];
    const metadata = resourceMetadata({ auth: config.auth, name: service.name, tools: all, mcpPath: path });
    for (const address of metadata.paths) {
      app.all(address, async (context) => {
        try {
          checkAccess(context);
          return toResponse(metadata.answer(context.req.raw.method));
        } catch (thrown) {
          return toResponse(problemAnswer(thrown));
        }
      });
    }
  }
  app.all(path, async (context) => {
    const { raw } = context.req;
    try {
      checkAccess(context);
      const caller = await (await authenticator)?.authenticate(raw.headers.get("authorization") ?? undefined);
      limit?.(caller?.owner ?? addressOf(incomingOf(context)));
      const body = raw.method === "POST" ? await readWebJson(raw, bodyLimit) : undefined;
      const { method, headers, signal } = raw;
      if (method !== "POST") return methodNotAllowed();
      const plain = answerPlainly(raw, body, caller);
      if (plain !== undefined) return await plain;
      return await answerHttp(
        { port, engine: await engine.get(), onPlatform },
        { method, headers, signal, caller },
        body,
      );
    } catch (thrown) {
      const error = ToolError.from(thrown);
      if (error.kind === "system") reportEngineError(thrown);
      return refusal(error);
    }
  });
  return {
    async stop() {
      await stop(config, executor, delivery, engine);
      await telemetry.close();
      stopOutbound();
    },
  };
}

/** A thread would run the entry once more, which starts a server of its own. */
function warnOfThreads(tools: readonly Tool[]): void {
  const names = tools.filter(({ definition }) => definition.thread === true).map(({ name }) => name);
  if (names.length === 0) return;
  getLogger("tenon").warn(
    `${names.join(", ")}: @thread has no effect with registerMcp: the app serves nothing else while such a tool computes. ` +
      "Serve it with startLambdaServer and --with-mcp instead.",
  );
}

/** Loaded only where callers are authenticated. */
async function authenticatorOf({ auth }: Config): Promise<Authenticator | undefined> {
  if (auth === undefined) return undefined;
  return (await import("../fronts/auth/authenticator.ts")).createAuthenticator(auth);
}

async function stop(
  config: Config,
  executor: ReturnType<typeof createExecutor>,
  delivery: Delivery,
  engine: ReturnType<typeof lazyEngine>,
): Promise<void> {
  await executor.drain(config.shutdownGrace);
  await delivery.close();
  await engine.close();
}

/** The address that the app's server listens on: only on loopback does every request have to name this machine. */
function boundAddress(context: RouteContext): string {
  const address = incomingOf(context)?.socket.server?.address();
  return typeof address === "object" && address !== null ? address.address : "0.0.0.0";
}

/** Node's own request, where the app runs on Node. */
function incomingOf({
  env,
}: RouteContext): (IncomingMessage & { readonly socket: { readonly server?: Server } }) | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: ReturnType<typeof incomingOf> };
  return incoming?.socket === undefined ? undefined : incoming;
}
