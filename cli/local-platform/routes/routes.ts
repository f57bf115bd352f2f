import type { ArtifactRoutes } from "./artifact-routes.ts";
import type { AspectRoutes } from "./aspect-routes.ts";
import { streamAllNews } from "./event-stream.ts";
import { notFound } from "./exchange.ts";
import type { Exchange, Handler } from "./exchange.ts";
import type { JobHub } from "../jobs/job-hub.ts";
import { admitStranger, callerOf, refuseJobs } from "./job-access.ts";
import type { Strangers } from "./job-access.ts";
import type { KnownJobs } from "../jobs/known-jobs.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import type { JobRoutes } from "./job-routes.ts";
import { queueRoutes } from "./queue-routes.ts";
import { faultRoute } from "./fault-route.ts";
import type { FaultSwitch } from "./fault-switch.ts";
import { showConsole } from "./show-console.ts";
import type { WorkerAskers } from "../workers/worker-askers.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";
import type { ServiceRoutes } from "./service-routes.ts";
import type { SidecarRoutes } from "./sidecar-routes.ts";

/** First segments of the platform's own paths; any other names a service. */
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
  readonly artifacts: ArtifactRoutes;
  readonly aspects: AspectRoutes;
  readonly serviceRoutes: ServiceRoutes;
  readonly services: ServiceRegistry;
  readonly hub: JobHub;
  /** The status of a platform that takes no jobs; undefined when it takes them. */
  readonly notReady: () => Promise<"draining" | "unavailable" | undefined>;
  readonly tokens: JobTokens;
  readonly strangers: Strangers;
  readonly faults: FaultSwitch;
  readonly askers: WorkerAskers;
  readonly known: KnownJobs;
}

/** The handler of every path, by its first segment. */
export function createRoutes(parts: RouteParts): Readonly<Record<RouteName, Handler>> {
  const { sidecar, jobs, artifacts, aspects, serviceRoutes, services, hub, notReady, tokens, strangers, askers } =
    parts;
  const alive: Handler = (exchange) => exchange.json(200, { status: "ok" });
  const handlers: Readonly<Record<RouteName, Handler>> = {
    next_job: sidecar.nextJob,
    events: sidecar.event,
    results: sidecar.result,
    jobs: (exchange) => oneJob(exchange, sidecar, jobs),
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
function oneJob(exchange: Exchange, sidecar: SidecarRoutes, jobs: JobRoutes): void | Promise<void> {
  const [, id, below] = exchange.segments;
  if (id === undefined) return jobs.list(exchange, undefined);
  if (below === "lease") return sidecar.lease(exchange);
  if (below === "release") return sidecar.release(exchange);
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
