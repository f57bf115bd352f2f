import { sees } from "../http/identity.ts";
import type { Caller } from "../http/identity.ts";
import { ToolError } from "../../base/errors.ts";
import { jsonAnswer } from "../http/answer.ts";
import type { Answer } from "../http/answer.ts";
import type { ConsoleAccess } from "../http/console-page.ts";
import type { Exchange } from "../http/exchange.ts";
import { heldByStream } from "../http/held-by-stream.ts";
import { problemAnswer } from "../http/problem.ts";
import type { ServiceDefinition } from "../../contract/service-definition.ts";
import type { Executor } from "../../executor/executor.ts";
import { parseJobId } from "../../job/job-id.ts";
import type { Job } from "../../job/job.ts";
import type { Delivery } from "../../outside/platform/delivery/delivery-to-log.ts";
import { pathsOf } from "../../service/tools/tool.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { endedAnswer, jobLocation, outcomeAnswer, pendingAnswer } from "./answer-job.ts";
import { readPrefer } from "./call-headers.ts";
import type { RestDocuments } from "./documents.ts";
import { jobList } from "./job-list.ts";
import { JobEventStreams } from "./job-event-stream.ts";
import { readiness } from "./readiness.ts";
import { waitForEnd } from "./wait-for-end.ts";

export interface RoutesOptions {
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

/** A request for a route. */
interface Asked {
  readonly exchange: Exchange;
  /** Undefined where callers are not authenticated. */
  readonly caller: Caller | undefined;
  /** The part of the path that stands for `:id`, decoded. */
  readonly id: string;
}

type Answerer = (asked: Asked) => Answer | Promise<Answer>;

/** Answers by method, by path; in place of the id of a job a path has `:id`. */
type Table = Map<string, Map<string, Answerer>>;

/** The routes of a service, beside `POST` of its tools. */
export interface Routes {
  /** Methods by path; a path of jobs has `:id`. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  /** The answer to a request. Never rejects. */
  answer(exchange: Exchange, caller: Caller | undefined): Promise<Answer>;
}

/** Every route but `POST` of tools: descriptions, jobs, health, documents. */
export async function createRoutes(options: RoutesOptions): Promise<Routes> {
  const { tools, executor } = options;
  const documents = await options.documents();
  const table: Table = new Map();
  const add = (method: string, path: string, answer: Answerer): void => {
    const known = table.get(path) ?? new Map<string, Answerer>();
    table.set(path, known);
    // The first one counts: a tool keeps a path that the author chose.
    if (!known.has(method)) known.set(method, answer);
  };
  const get = (path: string, answer: Answerer): void => add("GET", path, answer);
  const streams = new JobEventStreams(options);
  for (const tool of tools) {
    for (const path of pathsOf(tool)) {
      get(path, () => jsonAnswer(documents.toolDescription(tool)));
      // The jobs of a tool at the root stand where all jobs stand.
      if (path !== "/") jobRoutes(add, path, options, streams, tool);
    }
  }
  if (tools.length > 1 && !tools.some(({ path }) => path === "/tool")) {
    get("/tool", ({ caller }) => {
      const visible = tools.filter(({ definition }) => sees(caller?.scopes, definition.scopes));
      return jsonAnswer({ tools: visible.map((tool) => documents.toolDescription(tool)) });
    });
  }
  jobRoutes(add, "", options, streams);
  const alive = (): Answer => fresh({ status: "ok", version: options.version });
  get("/healthz", alive);
  get("/_healtz", alive);
  get("/readyz", async () => {
    const state = await readiness(tools, executor.draining, options.trouble);
    return fresh(state, state.status === "ready" ? 200 : 503);
  });
  get("/openapi.json", ({ caller }) => jsonAnswer(documents.openApi(caller?.scopes)));
  get("/service.json", ({ caller }) => jsonAnswer(documents.definition(caller?.scopes)));
  const { changes } = options;
  if (changes !== undefined)
    get("/service.json/changes", async ({ caller }) => fresh(await changes(documents.definition(caller?.scopes))));
  get("/jobs", async ({ exchange, caller }) => {
    const query = new URLSearchParams(exchange.query);
    return fresh(await jobList({ tools, executor, caller, query: (name) => query.get(name) ?? undefined }));
  });
  get("/queue", async ({ caller }) => {
    const { queueAnswer } = await import("./queue-answer.ts");
    return fresh(await queueAnswer({ tools, executor, service: options.service, caller }));
  });
  for (const path of options.consolePaths) {
    get(path, async () => {
      const { serviceConsole } = await import("./service-console.ts");
      return serviceConsole(await options.consoleAccess?.());
    });
  }
  // `POST` of tools never comes here.
  const toolPaths = new Set(tools.flatMap(pathsOf));
  const methodsOf = (path: string, known: ReadonlyMap<string, Answerer>): readonly string[] =>
    [...known.keys(), ...(known.has("GET") ? ["HEAD"] : []), ...(toolPaths.has(path) ? ["POST"] : [])].toSorted();
  return {
    methods: new Map([...table].map(([path, known]) => [path, methodsOf(path, known)])),
    async answer(exchange, caller) {
      try {
        const { path, id } = find(table, exchange.path);
        const known = table.get(path);
        if (known === undefined) return problemAnswer(new ToolError("not-found", missing(exchange.path)));
        const answer = known.get(exchange.method === "HEAD" ? "GET" : exchange.method);
        if (answer !== undefined) return await answer({ exchange, caller, id });
        const allow = methodsOf(path, known).join(", ");
        const error = new ToolError("method-not-allowed", `Allowed here: ${allow}.`);
        return problemAnswer(error, undefined, ["Allow", allow]);
      } catch (thrown) {
        return problemAnswer(thrown);
      }
    },
  };
}

/** The path of a route in the table. The raw one: a path with another spelling must not reach a route. */
function find(table: Table, raw: string): { readonly path: string; readonly id: string } {
  if (!table.has(raw)) {
    for (let at = raw.lastIndexOf(jobs); at >= 0; at = at === 0 ? -1 : raw.lastIndexOf(jobs, at - 1)) {
      const start = at + jobs.length;
      const end = raw.indexOf("/", start);
      const id = raw.slice(start, end < 0 ? undefined : end);
      const path = `${raw.slice(0, start)}:id${end < 0 ? "" : raw.slice(end)}`;
      if (id !== "" && table.has(path)) return { path, id: decoded(id) };
    }
  }
  return { path: raw, id: "" };
}

const jobs = "/jobs/";

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function jobRoutes(
  add: (method: string, path: string, answer: Answerer) => void,
  prefix: string,
  options: RoutesOptions,
  streams: JobEventStreams,
  tool?: Tool,
): void {
  const { executor, base, deferredStatus, delivery } = options;
  const findJob = async ({ id: text, caller }: Asked): Promise<Job> => {
    const id = parseJobId(text);
    const job = id === undefined ? undefined : await executor.find(id, caller?.owner);
    if (job === undefined || (tool !== undefined && job.tool !== tool)) throw noSuchJob();
    // A job tells and does what its tool does: whoever may not call the one may not have the other.
    const { scopes } = job.tool.definition;
    if (scopes !== undefined) caller?.require(scopes);
    return job;
  };
  add("GET", `${prefix}/jobs/:id`, async (asked) => {
    const job = await findJob(asked);
    const wait = readPrefer(asked.exchange.header("prefer")) ?? 0;
    const outcome = await waitForEnd(job, wait, asked.exchange);
    if (outcome !== undefined) await delivery.catchUp(job.id);
    const answer = outcome === undefined ? pendingAnswer(job, deferredStatus, base) : outcomeAnswer(job, outcome);
    return { ...answer, headers: [...answer.headers, ...notStored] };
  });
  add("GET", `${prefix}/jobs/:id/events`, async (asked) => {
    const { exchange, caller } = asked;
    // Many may come at once, as after a restart.
    await streams.slices.turn();
    const job = await findJob(asked);
    const after = readLastEventId(exchange.header("last-event-id"));
    const stream = streams.open(job, { after, owner: caller?.owner, hold: heldByStream(exchange.call) });
    if (stream === undefined) return { status: 204, headers: [], body: undefined };
    const headers = ["Content-Type", "text/event-stream", ...notStored, "X-Accel-Buffering", "no"];
    return { status: 200, headers, body: stream };
  });
  const waits = (tool === undefined ? options.tools : [tool]).flatMap(({ definition }) => definition.waits ?? []);
  for (const name of new Set(waits.map((wait) => wait.name))) {
    add("POST", `${prefix}/jobs/:id/messages/${encodeURIComponent(name)}`, async (asked) => {
      const { answerMessage } = await import("./message-route.ts");
      return answerMessage(executor, name, asked);
    });
  }
  if ((tool === undefined ? options.tools : [tool]).some(({ definition }) => definition.durable === true)) {
    add("GET", `${prefix}/jobs/:id/history`, async (asked) => fresh(await executor.history((await findJob(asked)).id)));
    add("POST", `${prefix}/jobs/:id/fork`, async (asked) => {
      const { id } = await findJob(asked);
      const { readFork } = await import("./message-route.ts");
      const job = await executor.fork(id, await readFork(asked.exchange), asked.caller?.owner);
      return pendingAnswer(job, deferredStatus, base);
    });
  }
  add("DELETE", `${prefix}/jobs/:id`, async (asked) => {
    const found = await findJob(asked);
    if (found.outcome !== undefined) return endedAnswer(found);
    const job = await executor.cancel(found.id, "The caller cancelled the job.", asked.caller?.owner);
    if (job === undefined) throw noSuchJob();
    // It ended in between.
    if (job.outcome !== undefined && job.state !== "cancelled") return endedAnswer(job);
    const location = jobLocation(job, base);
    const body = { "job-id": job.id, status: job.state, location };
    return jsonAnswer(body, 202, ["Location", location, "job-id", job.id]);
  });
}

/** Text for an unknown path. `/mcp` is one only in a service that does not serve MCP. */
function missing(path: string): string {
  return path === "/mcp"
    ? "This service does not serve MCP over HTTP. Start it with --with-mcp."
    : "There is no such route.";
}

const notStored = ["Cache-Control", "no-store"] as const;

function fresh(body: object, status = 200): Answer {
  return jsonAnswer(body, status, notStored);
}

function noSuchJob(): ToolError {
  return new ToolError("not-found", "The job does not exist, or has expired.");
}

function readLastEventId(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new ToolError("bad-request", "Last-Event-ID must be the id of an event of this job.");
}
