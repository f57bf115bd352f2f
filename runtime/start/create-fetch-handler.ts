import { metadataPaths } from "../fronts/auth/resource-metadata.ts";
import { createAccessRules } from "../fronts/http/access-rules.ts";
import { toResponse } from "../fronts/http/answer.ts";
import { cardPaths } from "../fronts/http/card-paths.ts";
import { openCors } from "../fronts/http/open-cors.ts";
import { healthPaths, openPaths } from "../fronts/http/front-door.ts";
import { problemAnswer } from "../fronts/http/problem.ts";
import { answerWithCors, passWebDoor } from "../fronts/http/web-door.ts";
import { refuse } from "../fronts/mcp/http/refuse.ts";
import { createWebRest, type WebRest } from "../fronts/rest/web-rest.ts";
import type { AuthOptions } from "../service/config/auth-config.ts";
import { readConfig, type Config } from "../service/config/config.ts";
import { resolveVersion, type Service } from "../service/service.ts";
import type { Served } from "../service/served.ts";
import { resolveOffers } from "../service/tools/resolve-offers.ts";
import { resolveTools } from "../service/tools/resolve-tools.ts";
import { openServiceStore } from "./open-service-store.ts";
import { openedOnce } from "./opened-once.ts";
import { closeWebWorkplace, openWebWorkplace, warnOfThreads, type WebWorkplace } from "./web-workplace.ts";

const mcpPath = "/mcp";
const consolePath = "/docs";

export interface FetchHandlerOptions {
  /**
   * Path under which the application serves the handler, for example `/api`; it is what answers say of addresses. A
   * request may come with it or without.
   */
  readonly basePath?: string;
  /** As for `startLambdaServer`. */
  readonly bodyLimit?: number;
  /** As for `startLambdaServer`. */
  readonly deferredStatus?: 202 | 204;
  /** As for `startLambdaServer`: callers need an access token; what is left out comes from `TENON_AUTH_*`. */
  readonly auth?: AuthOptions;
}

/** Answers requests for the tools of a service. Never rejects. */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  /** Takes no more calls, gives running ones `PLATFORM_SHUTDOWN_GRACE` to end, aborts the rest, and awaits `onStop`. */
  stop(): Promise<void>;
}

/**
 * REST and MCP of all tools as one function from `Request` to `Response`, for Hono, Next.js, Express by an adapter, Bun,
 * Deno and serverless hosts. Call it after the tools' modules were imported. Nothing is opened before the first request.
 *
 * ```ts
 * const handler = createFetchHandler(new Service({ name: "Prime numbers" }));
 * Deno.serve(handler);
 * ```
 *
 * @throws StartError when there are no tools, or when a variable of the environment is wrong
 */
export function createFetchHandler(service: Service, options: FetchHandlerOptions = {}): FetchHandler {
  const config = readConfig(process.env, [], options.auth === undefined ? {} : { auth: options.auth });
  const version = resolveVersion(service, config.version, process.cwd());
  const served: Served = { service, version, tools: resolveTools(), offers: resolveOffers() };
  warnOfThreads(served.tools, "createFetchHandler");
  const base = readBase(options.basePath);
  // The address that the host listens on is not known, so that Host is checked only against a list.
  const access = createAccessRules({ ...config, host: "0.0.0.0" });
  const metadata = new Set(config.auth === undefined ? [] : metadataPaths(config.auth, mcpPath));
  const cors = openCors(config.allowedOrigins);
  const documents = documentsAbout(mcpPath);
  const document = async ({ method, headers, url }: Request, path: string): Promise<Response> => {
    const { answerCard } = await import("../fronts/mcp/http/server-card.ts");
    const { host, protocol } = new URL(url);
    const request = {
      method,
      path,
      host: headers.get("host") ?? host,
      protocol: headers.get("x-forwarded-proto") ?? protocol.slice(0, -1),
      ifNoneMatch: headers.get("if-none-match") ?? undefined,
    };
    return toResponse(answerCard({ service, version, resource: config.auth?.resource, mcpPath, base }, request));
  };
  const opening = openedOnce(() => open(served, config, options, base), "The service cannot be served");
  const enter = async (request: Request, path: string): Promise<Response> => {
    const { web, rest } = await opening.value();
    const isHealth = healthPaths.has(path);
    const admission = await passWebDoor(request, { path, address: undefined, isHealth }, access, web.gate);
    if (admission.answer !== undefined) return toResponse(admission.answer);
    if (documents.has(path)) return document(request, path);
    return path === mcpPath ? web.mcp.answer(request, admission.caller) : rest(request, path, admission.caller);
  };
  const handle = (request: Request): Promise<Response> => {
    const path = withoutBase(new URL(request.url).pathname, base);
    const isRest = path !== mcpPath || metadata.has(path);
    return answerWithCors(request, cors, () =>
      enter(request, path).catch((thrown: unknown) => (isRest ? toResponse(problemAnswer(thrown)) : refuse(thrown))),
    );
  };
  return Object.assign(handle, {
    async stop() {
      const opened = await opening.settled();
      if (opened !== undefined) await closeWebWorkplace(opened.web, config);
    },
  });
}

interface Opened {
  readonly web: WebWorkplace;
  /** REST, and `/metrics` where that was asked for. */
  readonly rest: WebRest;
}

async function open(served: Served, config: Config, options: FetchHandlerOptions, base: string): Promise<Opened> {
  const { bodyLimit = config.limits.body, deferredStatus = 202 } = options;
  const { tools, service, version } = served;
  const store = await openServiceStore(config, served);
  const web = await openWebWorkplace(served, config, { mcpPath, open: openPaths, bodyLimit, store }).catch(
    async (error: unknown) => {
      await store.close();
      throw error;
    },
  );
  const { executor, delivery, telemetry } = web.workplace;
  if (telemetry.addGauge) {
    (await import("./gauge-queue.ts")).gaugeQueue(telemetry, service, () => ({ executor, tools }));
  }
  await executor.resume().catch(async (error: unknown) => {
    throw (await import("./resume-error.ts")).resumeError(error);
  });
  const rest = await createWebRest({
    tools,
    executor,
    bodyLimit,
    version,
    deferredStatus,
    delivery,
    base,
    documents: async () => {
      const documents = (await import("./describe.ts")).restDocuments(served, config, deferredStatus);
      if (base === "") return documents;
      return { ...documents, openApi: (scopes) => ({ ...documents.openApi(scopes), servers: [{ url: base }] }) };
    },
    onPlatform: config.platformBaseUrl !== undefined,
    service: service.name,
    source: config.serviceId ?? service.name,
    consolePaths: config.console ? [consolePath] : [],
    consoleAccess: web.consoleAccess,
  });
  return { web, rest: await withMetrics(rest, web.metricsText) };
}

async function withMetrics(rest: WebRest, metricsText: WebWorkplace["metricsText"]): Promise<WebRest> {
  if (metricsText === undefined) return rest;
  const { metricsAnswer, metricsPath } = await import("../fronts/http/answer-metrics.ts");
  return async (request, path, caller) =>
    path === metricsPath ? toResponse(await metricsAnswer(request.method, metricsText)) : rest(request, path, caller);
}

function documentsAbout(endpoint: string): ReadonlySet<string> {
  const { cards, catalog } = cardPaths(endpoint);
  return new Set([...cards, catalog]);
}

function readBase(text: string | undefined): string {
  const base = (text ?? "").replace(/\/+$/, "");
  if (base === "" || /^(?:\/[\w.~%-]+)+$/.test(base)) return base;
  throw new TypeError(`basePath: ${JSON.stringify(text)} is not a path; write one such as "/api".`);
}

/** A host that mounts the handler may have taken the prefix off already. */
function withoutBase(path: string, base: string): string {
  return base !== "" && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
