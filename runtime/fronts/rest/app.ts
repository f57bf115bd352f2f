import type { ServerResponse } from "node:http";
import { Hono } from "hono";
import type { Context } from "hono";
import { sees } from "../http/caller.ts";
import type { Caller } from "../http/caller.ts";
import { ToolError } from "../../base/errors.ts";
import { toResponse } from "../http/answer.ts";
import { heldByStream } from "../http/held-by-stream.ts";
import { problemAnswer } from "../http/problem.ts";
import type { ConsoleAccess } from "../http/console-page.ts";
import type { ServiceDefinition } from "../../contract/service-definition.ts";
import type { Executor } from "../../executor/executor.ts";
import { parseJobId } from "../../job/job-id.ts";
import type { Job } from "../../job/job.ts";
import type { Delivery } from "../../clients/platform/delivery/delivery-to-log.ts";
import { pathsOf } from "../../service/tools/tool.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { jobLocation, outcomeAnswer, pendingAnswer } from "./answer-job.ts";
import { readPrefer } from "./call-headers.ts";
import type { RestDocuments } from "./documents.ts";
import { jobList } from "./job-list.ts";
import { JobEventStreams } from "./job-event-stream.ts";
import { readiness } from "./readiness.ts";
import { waitForEnd } from "./wait-for-end.ts";

export interface AppOptions {
  readonly tools: readonly Tool[];
  readonly executor: Executor;
  /** Called when the routes are created, at the first request for one of them. */
  readonly documents: () => Promise<RestDocuments>;
  readonly deferredStatus: 202 | 204;
  /** Version of the service. */
  readonly version: string;
  /** Name of the service. */
  readonly service: string;
  /** Sender of the events, for example the service's id. */
  readonly source: string;
  /** The sender of a request, where callers are authenticated. */
  readonly callerOf: (incoming: object) => Caller | undefined;
  /** Paths of the console; none where it is turned off. */
  readonly consolePaths: readonly string[];
  /** Address at which the console signs in; only where callers are authenticated. */
  readonly consoleAccess?: (() => Promise<ConsoleAccess>) | undefined;
  /** The differences between the committed definition and one that is served; only under `tenon dev`. */
  readonly changes?: ((definition: ServiceDefinition) => Promise<object>) | undefined;
  /** Path under which a host serves all routes; default none. */
  readonly base?: string | undefined;
  /** Why nothing can be kept, for `/readyz`; undefined when all is well. */
  readonly trouble?: (() => Promise<string | undefined>) | undefined;
  /** Takes the events of jobs. */
  readonly delivery: Pick<Delivery, "catchUp">;
}

/** A request as its host has it; its path is the one that counts. */
interface Bindings {
  readonly incoming: { readonly url?: string | undefined };
  readonly outgoing?: ServerResponse;
}

type App = Hono<{ Bindings: Bindings }>;
type JobRoute = Context<{ Bindings: Bindings }>;

/** Every route but `POST` of tools: descriptions, jobs, health, documents. */
export async function createApp(options: AppOptions): Promise<App> {
  const { tools, executor } = options;
  const documents = await options.documents();
  // The raw path: a path with another spelling must not reach a route.
  const app: App = new Hono({ getPath: (_, context) => (context?.env?.incoming.url ?? "/").replace(/\?.*$/s, "") });
  app.onError((error) => toResponse(problemAnswer(error)));
  const streams = new JobEventStreams(options);
  app.notFound(({ req }) => toResponse(problemAnswer(new ToolError("not-found", missing(req.path)))));

  for (const tool of tools) {
    for (const path of pathsOf(tool)) {
      app.get(path, () => Response.json(documents.toolDescription(tool)));
      // The jobs of a tool at the root stand where all jobs stand.
      if (path !== "/") jobRoutes(app, path, options, streams, tool);
    }
  }
  if (tools.length > 1 && !tools.some(({ path }) => path === "/tool")) {
    app.get("/tool", ({ env }) => {
      const scopes = options.callerOf(env.incoming)?.scopes;
      const visible = tools.filter(({ definition }) => sees(scopes, definition.scopes));
      return Response.json({ tools: visible.map((tool) => documents.toolDescription(tool)) });
    });
  }
  jobRoutes(app, "", options, streams);
  const alive = (): Response => fresh({ status: "ok", version: options.version });
  app.get("/healthz", alive);
  app.get("/_healtz", alive);
  app.get("/readyz", async () => {
    const state = await readiness(tools, executor.draining, options.trouble);
    return fresh(state, state.status === "ready" ? 200 : 503);
  });
  app.get("/openapi.json", ({ env }) => Response.json(documents.openApi(options.callerOf(env.incoming)?.scopes)));
  app.get("/service.json", ({ env }) => Response.json(documents.definition(options.callerOf(env.incoming)?.scopes)));
  const { changes } = options;
  if (changes !== undefined)
    app.get("/service.json/changes", async ({ env }) =>
      fresh(await changes(documents.definition(options.callerOf(env.incoming)?.scopes))),
    );
  app.get("/jobs", async ({ env, req }) =>
    fresh(await jobList({ tools, executor, caller: options.callerOf(env.incoming), query: (name) => req.query(name) })),
  );
  app.get("/queue", async ({ env }) => {
    const { queueAnswer } = await import("./queue-answer.ts");
    const { service, callerOf } = options;
    return fresh(await queueAnswer({ tools, executor, service, caller: callerOf(env.incoming) }));
  });
  // The paths of tools were first: a tool keeps a path that the author chose.
  for (const path of options.consolePaths) {
    app.get(path, async () => {
      const { serviceConsole } = await import("./service-console.ts");
      return toResponse(serviceConsole(await options.consoleAccess?.()));
    });
  }
  refuseOtherMethods(app, new Set(tools.flatMap(pathsOf)));
  return app;
}

function jobRoutes(app: App, prefix: string, options: AppOptions, streams: JobEventStreams, tool?: Tool): void {
  const ownerOf = ({ env }: JobRoute): string | undefined => options.callerOf(env.incoming)?.owner;
  const find = async (context: JobRoute): Promise<Job> => {
    const id = parseJobId(context.req.param("id") ?? "");
    const job = id === undefined ? undefined : await options.executor.find(id, ownerOf(context));
    if (job === undefined || (tool !== undefined && job.tool !== tool)) throw noSuchJob();
    // A job tells and does what its tool does: whoever may not call the one may not have the other.
    const { scopes } = job.tool.definition;
    if (scopes !== undefined) options.callerOf(context.env.incoming)?.require(scopes);
    return job;
  };
  app.get(`${prefix}/jobs/:id`, async (context) => {
    const job = await find(context);
    const wait = readPrefer(context.req.header("prefer")) ?? 0;
    const outcome = await waitForEnd(job, wait, context.req.raw.signal);
    if (outcome !== undefined) await options.delivery.catchUp(job.id);
    const response = toResponse(
      outcome === undefined ? pendingAnswer(job, options.deferredStatus, options.base) : outcomeAnswer(job, outcome),
    );
    response.headers.set("Cache-Control", "no-store");
    return response;
  });
  app.get(`${prefix}/jobs/:id/events`, async (context) => {
    // Many may come at once, as after a restart.
    await streams.slices.turn();
    const job = await find(context);
    const after = readLastEventId(context.req.header("last-event-id"));
    const hold = heldByStream(context.env.outgoing);
    const stream = streams.open(job, { after, owner: ownerOf(context), hold });
    if (stream === undefined) return new Response(null, { status: 204 });
    return new Response(stream, {
      headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
    });
  });
  app.delete(`${prefix}/jobs/:id`, async (context) => {
    const { id } = await find(context);
    const job = await options.executor.cancel(id, "The caller cancelled the job.", ownerOf(context));
    if (job === undefined) throw noSuchJob();
    const location = jobLocation(job, options.base);
    const body = { "job-id": job.id, status: job.state, location };
    return Response.json(body, { status: 202, headers: { Location: location, "job-id": job.id } });
  });
}

/** Answers 405 with `Allow` for every path that has a route for another method. `POST` of tools never comes here. */
function refuseOtherMethods(app: App, toolPaths: ReadonlySet<string>): void {
  const allowed = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    const known = allowed.get(path) ?? new Set(toolPaths.has(path) ? ["POST"] : []);
    allowed.set(path, known.add(method));
    if (method === "GET") known.add("HEAD");
  }
  for (const [path, known] of allowed) {
    const allow = [...known].toSorted().join(", ");
    app.all(path, () => {
      const error = new ToolError("method-not-allowed", `Allowed here: ${allow}.`);
      return toResponse(problemAnswer(error, undefined, ["Allow", allow]));
    });
  }
}

/** Text for an unknown path. `/mcp` is one only in a service that does not serve MCP. */
function missing(path: string): string {
  return path === "/mcp"
    ? "This service does not serve MCP over HTTP. Start it with --with-mcp."
    : "There is no such route.";
}

function fresh(body: object, status = 200): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store" } });
}

function noSuchJob(): ToolError {
  return new ToolError("not-found", "The job does not exist, or has expired.");
}

function readLastEventId(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new ToolError("bad-request", "Last-Event-ID must be the id of an event of this job.");
}
