import type { ArtifactRoutes } from "./artifact-routes.ts";
import type { AspectRoutes } from "./aspect-routes.ts";
import { streamAllNews } from "./event-stream.ts";
import { notFound, type Exchange, type Handler } from "./exchange.ts";
import type { JobHub } from "../jobs/job-hub.ts";
import { admitStranger, callerOf, refuseJobs, type Strangers } from "./job-access.ts";
import type { KnownJobs } from "../jobs/known-jobs.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import type { JobRoutes } from "./job-routes.ts";
import { queueRoutes } from "./queue-routes.ts";
import type { FaultSwitch, Faults } from "./fault-switch.ts";
import type { WorkerAskers } from "../workers/worker-askers.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";
import type { ServiceRoutes } from "./service-routes.ts";
import type { SidecarRoutes } from "./sidecar-routes.ts";
import { ToolError } from "../../../runtime/base/errors.ts";
import { consolePage, consoleScript } from "../../../runtime/fronts/http/console-page.ts";
import { consoleTexts } from "./console-texts.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";

const maxBytes = 10_000;
/** Maximum delay in milliseconds. */
const longestDelay = 600_000;

/** `GET /faults` returns the injected faults, `PUT /faults` sets them, as `--fault` does. */
async function faultRoute(exchange: Exchange, faults: FaultSwitch, tokens: JobTokens): Promise<void> {
  refuseJobs(callerOf(exchange, tokens));
  if (exchange.method === "PUT") faults.set(readFaults(parseJsonBody(await exchange.body(maxBytes)), faults.current));
  else if (exchange.method !== "GET") throw new ToolError("method-not-allowed", "Use GET or PUT here.");
  const { drop, dup, delay, killLease } = faults.current;
  exchange.json(200, { drop, dup, delay, "kill-lease": killLease });
}

function readFaults(body: unknown, { seed }: Faults): Faults {
  const given = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const number = (name: string, most: number): number => {
    const { [name]: value = 0 } = given;
    if (typeof value === "number" && value >= 0 && value <= most) return value;
    throw new ToolError("bad-request", `${name} must be a number from 0 to ${most}.`);
  };
  return {
    drop: number("drop", 1),
    dup: number("dup", 1),
    delay: number("delay", longestDelay),
    killLease: number("kill-lease", 1),
    seed,
  };
}

/** First segments of the platform's own paths; any other first segment names a service. */
const routeNames = [
  ...(["next_job", "events", "results", "jobs", "artifacts", "aspects", "services2", "dead-letters"] as const),
  ...(["live", "healthz", "readyz", "_healtz", "workers", "faults", "queue", "metrics", ""] as const),
] as const;

export type RouteName = (typeof routeNames)[number];

const names: ReadonlySet<string> = new Set(routeNames);

/** True for the first segment of a platform route. */
export function isRouteName(name: string): name is RouteName {
  return names.has(name);
}

export interface RouteParts {
  readonly sidecar: SidecarRoutes;
  readonly jobs: JobRoutes;
  /** Routes for the step record of a worker's job, below `/jobs/{id}`. */
  readonly kept: Readonly<Record<"steps" | "messages" | "park", Handler>>;
  readonly artifacts: ArtifactRoutes;
  readonly aspects: AspectRoutes;
  readonly serviceRoutes: ServiceRoutes;
  readonly services: ServiceRegistry;
  readonly hub: JobHub;
  /** Reason why the platform accepts no jobs; undefined when it accepts them. */
  readonly notReady: () => Promise<"draining" | "unavailable" | undefined>;
  readonly tokens: JobTokens;
  readonly strangers: Strangers;
  readonly faults: FaultSwitch;
  readonly askers: WorkerAskers;
  readonly known: KnownJobs;
}

/** Creates the handlers of all paths, by the first segment. */
export function createRoutes(parts: RouteParts): Readonly<Record<RouteName, Handler>> {
  const { sidecar, jobs, artifacts, aspects, serviceRoutes, services, hub, notReady, tokens, strangers, askers } =
    parts;
  const alive: Handler = (exchange) => exchange.json(200, { status: "ok" });
  const handlers: Readonly<Record<RouteName, Handler>> = {
    next_job: sidecar.nextJob,
    events: sidecar.event,
    results: sidecar.result,
    jobs: (exchange) => oneJob(exchange, parts),
    artifacts: (exchange) => artifacts.handle(exchange),
    aspects: (exchange) => aspects.handle(exchange),
    services2: (exchange) => serviceRoutes.handle(exchange),
    "dead-letters": (exchange) => jobs.listDead(exchange),
    live(exchange) {
      refuseJobs(callerOf(exchange, tokens));
      return streamAllNews(exchange, hub, (key) => services.find(key));
    },
    workers(exchange) {
      refuseJobs(callerOf(exchange, tokens));
      exchange.json(200, { items: askers.list() });
    },
    ...queueRoutes(parts),
    faults: (exchange) => faultRoute(exchange, parts.faults, tokens),
    "": showConsole,
    healthz: alive,
    _healtz: alive,
    async readyz(exchange) {
      const status = await notReady();
      return status === undefined ? alive(exchange) : exchange.json(503, { status });
    },
  };
  const guarded = Object.entries<Handler>(handlers).map(([name, handle]) => {
    const guard: Handler = (exchange) => {
      admitStranger(exchange, tokens, strangers);
      return handle(exchange);
    };
    return [name, guard] as const;
  });
  return Object.fromEntries(guarded) as Record<RouteName, Handler>;
}

/** Routes below `/jobs`. */
function oneJob(exchange: Exchange, { sidecar, jobs, kept }: RouteParts): void | Promise<void> {
  const [, id, below] = exchange.segments;
  if (id === undefined) return jobs.list(exchange, undefined);
  if (below === "lease") return sidecar.lease(exchange);
  if (below === "release") return sidecar.release(exchange);
  if (below === "steps" || below === "park") return kept[below](exchange);
  if (below === "messages" && exchange.method === "GET") return kept.messages(exchange);
  return jobs.one(exchange, id, below);
}

/** Answers one exchange; an error becomes its answer. */
export function answerExchange(routes: Readonly<Record<RouteName, Handler>>, exchange: Exchange): void {
  const [first = ""] = exchange.segments;
  try {
    if (!isRouteName(first)) throw notFound("such route");
    const running = routes[first](exchange);
    if (running !== undefined) running.catch((error: unknown) => exchange.fail(error));
  } catch (error) {
    exchange.fail(error);
  }
}

/**
 * `GET /`: the console, and the scripts of its views. The page contains no data of the platform, so it is public; its
 * requests are not.
 */
function showConsole(exchange: Exchange): void {
  if (exchange.method !== "GET" && exchange.method !== "HEAD")
    throw new ToolError("method-not-allowed", "Use GET here.");
  const name = exchange.query("script");
  const { status, headers, body } = name === undefined ? consolePage(consoleTexts) : consoleScript(consoleTexts, name);
  exchange.send(status, headers, exchange.method === "GET" ? (body as string) : undefined);
}
