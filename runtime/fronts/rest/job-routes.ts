import { ToolError } from "../../base/errors.ts";
import type { Executor } from "../../executor/executor.ts";
import { parseJobId } from "../../job/job-id.ts";
import type { Job, JobOutcome } from "../../job/job.ts";
import type { Delivery } from "../../outside/platform/delivery/delivery-to-log.ts";
import type { JsonObject } from "../../contract/contract.ts";
import type { ServiceDefinition } from "../../contract/service-definition.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import type { Exchange } from "../http/exchange.ts";
import { heldByStream } from "../http/held-by-stream.ts";
import type { Caller } from "../http/identity.ts";
import { outcomeAnswer } from "./answer-job.ts";
import { endedAnswer, jobLocation, pendingAnswer } from "./pending-answer.ts";
import { readPrefer } from "./call-headers.ts";
import type { JobEventStreams } from "./job-event-stream.ts";
import type { Turns } from "./turns.ts";

export interface JobRoutesOptions {
  readonly tools: readonly Tool[];
  readonly executor: Executor;
  readonly deferredStatus: 202 | 204;
  /** Path under which a host serves all routes; default none. */
  readonly base?: string | undefined;
  /** Sends the events of jobs to the platform. */
  readonly delivery: Pick<Delivery, "catchUp">;
  /** Only under `tenon dev`. */
  readonly dev?: DevRoutes | undefined;
}

/** Answers that only `tenon dev` has. */
interface DevRoutes {
  /** Returns the differences between the committed definition and the given one, which is served. */
  readonly changes?: (definition: ServiceDefinition) => Promise<object>;
  /** Why the latest files are not served; undefined if they are. */
  readonly failure?: () => string | undefined;
  /** Notes of a job: its request, its log lines, the stack of its error. */
  readonly debug?: (job: Job) => object;
  /** The whole request of a job as JSON; undefined if it is not known. */
  readonly request?: (job: Job) => string | undefined;
  /**
   * Writes a job's request into its tool's source; resolves to the position, or to the reason why this is not possible.
   */
  readonly saveExample?: (job: Job) => Promise<{ readonly place: string } | { readonly refusal: string }>;
  /** The part of the notes that the list of jobs shows: origin, and the beginning of the request. */
  readonly noted?: (id: string) => JsonObject;
}

/** Parts that the routes of all tools share. */
export interface SharedByRoutes {
  readonly streams: JobEventStreams;
  /** Runs requests that take long, one after the other. */
  readonly turns: Turns;
}

/** A request to one of these routes. */
export interface Asked {
  readonly exchange: Exchange;
  /** Undefined if callers are not authenticated. */
  readonly caller: Caller | undefined;
  /** The part of the path that stands for `:id`, decoded. */
  readonly id: string;
}

export type Answerer = (asked: Asked) => Answer | Promise<Answer>;

/**
 * Adds the routes of jobs.
 *
 * @param prefix Path of a tool, for the routes of its jobs; empty for the jobs of all tools.
 */
export function jobRoutes(
  add: (method: string, path: string, answer: Answerer) => void,
  prefix: string,
  options: JobRoutesOptions,
  { streams, turns }: SharedByRoutes,
  tool?: Tool,
): void {
  const { executor, base, deferredStatus, delivery } = options;
  const findJob = async ({ id: text, caller }: Asked): Promise<Job> => {
    const id = parseJobId(text);
    const job = id === undefined ? undefined : await executor.find(id, caller?.owner);
    if (job === undefined || (tool !== undefined && job.tool !== tool)) throw noSuchJob();
    // Access to a job needs the scopes of its tool.
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
    // Waits for a time slice, since many readers may connect at once, as after a restart.
    await streams.slices.turn();
    const job = await findJob(asked);
    const after = readLastEventId(exchange.header("last-event-id"));
    const stream = streams.open(job, { after, owner: caller?.owner, hold: heldByStream(exchange.call) });
    if (stream === undefined) return { status: 204, headers: [], body: undefined };
    const headers = ["Content-Type", "text/event-stream", ...notStored, "X-Accel-Buffering", "no"];
    return { status: 200, headers, body: stream };
  });
  const { debug, request, saveExample } = options.dev ?? {};
  if (debug !== undefined) add("GET", `${prefix}/jobs/:id/debug`, async (asked) => fresh(debug(await findJob(asked))));
  if (request !== undefined)
    add("GET", `${prefix}/jobs/:id/request`, async (asked) => {
      const body = request(await findJob(asked));
      if (body === undefined) throw new ToolError("gone", "The request of this job is not known.");
      return { status: 200, headers: ["Content-Type", "application/json", ...notStored], body };
    });
  if (saveExample !== undefined)
    add("POST", `${prefix}/jobs/:id/example`, async (asked) => {
      const saved = await saveExample(await findJob(asked));
      if ("refusal" in saved) throw new ToolError("bad-request", saved.refusal);
      return fresh(saved);
    });
  const own = tool === undefined ? options.tools : [tool];
  const waits = own.flatMap(({ definition }) => definition.waits ?? []);
  if (waits.length > 0)
    add("POST", `${prefix}/jobs/:id/messages/:name`, async (asked) => {
      const { answerMessage } = await import("./message-route.ts");
      return answerMessage(executor, waits, asked);
    });
  // Every service has both routes, since the build does not see the steps of helpers in other modules.
  add("GET", `${prefix}/jobs/:id/history`, async (asked) => {
    const job = await findJob(asked);
    const hasValues = new URLSearchParams(asked.exchange.query).get("with-values") !== "false";
    const history = await turns(asked.exchange, () => executor.history(job, hasValues));
    return { status: 200, headers: ["Content-Type", "application/json", ...notStored], body: history };
  });
  add("POST", `${prefix}/jobs/:id/fork`, async (asked) => {
    const { readFork } = await import("./message-route.ts");
    const from = await readFork(asked.exchange);
    const old = await findJob(asked);
    const job = await turns(asked.exchange, () => executor.fork(old, from, asked.caller?.owner));
    return pendingAnswer(job, deferredStatus, base);
  });
  add("DELETE", `${prefix}/jobs/:id`, async (asked) => {
    const { id } = await findJob(asked);
    // A job that has ended stays as it is; a repeated cancellation gets the same answer as the first.
    const job = await executor.cancel(id, "The caller cancelled the job.", asked.caller?.owner);
    if (job === undefined) throw noSuchJob();
    if (job.outcome !== undefined && job.state !== "cancelled") return endedAnswer(job);
    const location = jobLocation(job, base);
    const body = { "job-id": job.id, status: job.state, location };
    return jsonAnswer(body, 202, ["Location", location, "job-id", job.id]);
  });
}

const notStored = ["Cache-Control", "no-store"] as const;

/** Makes a JSON answer that must not be cached. */
export function fresh(body: object, status = 200): Answer {
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

/** Resolves to the outcome of a job when it ends; to undefined after `seconds`, or when the caller has disconnected. */
function waitForEnd(job: Job, seconds: number, exchange: Pick<Exchange, "onGone">): Promise<JobOutcome | undefined> {
  if (job.outcome !== undefined || seconds === 0) return Promise.resolve(job.outcome);
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      job.offEnd(stop);
      resolve(job.outcome);
    };
    const timer = setTimeout(stop, seconds * 1000);
    job.onEnd(stop);
    exchange.onGone(stop);
  });
}
