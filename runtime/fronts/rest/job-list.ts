import type { JsonObject } from "../../contract/contract.ts";
import { ToolError } from "../../base/errors.ts";
import { letOthersWork } from "../../base/one-at-a-time.ts";
import type { Executor } from "../../executor/executor.ts";
import type { RemembersAttempts } from "../../executor/store/attempts.ts";
import type { ListedJob, ListFilter, ListPage, ListsJobs } from "../../executor/store/listed-jobs.ts";
import { shownAttempts } from "../../executor/store/shown-attempts.ts";
import type { JobUrn } from "../../job/job.ts";
import { isFiring, parseJobId } from "../../job/job-id.ts";
import { traceIdOf } from "../../job/trace-context.ts";
import { timeOfJobId } from "../../job/time-of-job-id.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { sees, type Caller } from "../http/identity.ts";
import { pageLinks } from "../http/page-links.ts";
import type { Answer } from "../http/answer.ts";
import { fresh, type Asked, type JobRoutesOptions } from "./job-routes.ts";
import type { Turns } from "./turns.ts";

const usualSize = 50;
const largestSize = 500;
/** Jobs that the first query of the store examines: most lists need no other. */
const firstPortion = 500;
/** Jobs that each further query examines: some milliseconds of work. */
const portion = 2000;
/** Maximum number of jobs that one request examines. */
const mostRead = 10_000;

export interface JobListRequest {
  readonly executor: Executor;
  readonly tools: readonly Tool[];
  readonly caller: Caller | undefined;
  /** Notes about a job; only in `tenon dev`. */
  readonly noted?: ((id: JobUrn) => JsonObject) | undefined;
  /** A parameter of the query. */
  readonly query: (name: string) => string | undefined;
  /** Path under which a host serves all routes; default none. */
  readonly base?: string | undefined;
}

/** Answers `GET /jobs` when its turn has come. */
export async function answerList(
  options: JobRoutesOptions,
  { exchange, caller }: Pick<Asked, "exchange" | "caller">,
  turns: Turns,
): Promise<Answer> {
  const parameters = new URLSearchParams(exchange.query);
  const query = (name: string): string | undefined => parameters.get(name) ?? undefined;
  return fresh(await turns(exchange, () => jobList({ ...options, noted: options.dev?.noted, caller, query })));
}

/**
 * Makes the body of `GET /jobs`: the caller's stored jobs, the latest first, by pages. Jobs of tools that the caller
 * may not call are left out.
 */
export async function jobList(request: JobListRequest): Promise<JsonObject> {
  const { executor, tools, caller, noted, query, base = "" } = request;
  const limit = Math.max(1, Math.min(readNumber("limit", query("limit")) ?? usualSize, largestSize));
  const [tool, status, idText, trace] = [query("tool"), query("status"), query("id"), query("trace")];
  const id = idText === undefined ? undefined : (parseJobId(idText) ?? ("" as JobUrn));
  const visible = new Set(
    tools.filter(({ definition }) => sees(caller?.scopes, definition.scopes)).map(({ name }) => name),
  );
  // Under `tenon dev` the tool of a job may have been removed or renamed since.
  const isGone = (name: string): boolean => noted !== undefined && !tools.some((tool) => tool.name === name);
  const isWanted = (job: ListedJob): boolean =>
    (visible.has(job.tool) || isGone(job.tool)) && (trace === undefined || traceIdOf(job.traceparent) === trace);
  // Under `tenon dev`, the names of removed tools are unknown.
  const named = tool === undefined ? (noted === undefined ? [...visible] : undefined) : [tool];
  const filter = { of: { owner: caller?.owner }, id, tools: named, state: status, trace };
  const found: ListedJob[] = [];
  let before: number | undefined = readNumber("page", query("page")) ?? Number.MAX_SAFE_INTEGER;
  let began = 0;
  for (let read = 0; before !== undefined && found.length <= limit && read < mostRead;) {
    if (read > 0) await letOthersWork(performance.now() - began);
    began = performance.now();
    const most = read === 0 ? firstPortion : Math.min(portion, mostRead - read);
    const { jobs, next }: ListPage = await portionOf(executor.store, before, limit + 1, { ...filter, most });
    found.push(...jobs.filter(isWanted));
    before = next;
    read += most;
  }
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1)?.seq : before;
  return {
    items: await Promise.all(
      items.map(async (job) => ({
        ...shown(job, caller),
        ...noted?.(job.id),
        ...(id !== undefined && (await attemptsOf(executor.store, job, caller))),
      })),
    ),
    "at-time": new Date().toISOString(),
    links: pageLinks(`${base}/jobs`, query, ["tool", "status", "id", "trace"], last),
  };
}

/** Empty if the store cannot list its jobs. */
async function portionOf(
  store: Executor["store"] & Partial<ListsJobs>,
  before: number,
  limit: number,
  filter: ListFilter,
): Promise<ListPage> {
  return store.list === undefined ? { jobs: [] } : store.list(before, limit, filter);
}

/** The attempts of a single requested job, if the store records them. */
async function attemptsOf(
  store: Executor["store"] & Partial<RemembersAttempts>,
  { id }: ListedJob,
  caller: Caller | undefined,
): Promise<JsonObject> {
  const attempts = await store.attempts?.(id);
  return attempts === undefined ? {} : { attempts: shownAttempts(attempts, caller !== undefined) };
}

/** Lists one job. Its input is included only when the list is restricted to the caller's own jobs. */
function shown(job: ListedJob, caller: Caller | undefined): JsonObject {
  const { id, tool, state, attempt, traceparent, startedAt, endedAt, isDead, error, request } = job;
  const times = { "requested-at": timeOfJobId(id), "started-at": startedAt, "finished-at": endedAt };
  const known = Object.entries(times).flatMap(([name, time]) =>
    time === undefined ? [] : [[name, new Date(time).toISOString()] as const],
  );
  const trace = traceIdOf(traceparent);
  return {
    id,
    status: state,
    tool,
    attempt,
    ...(trace !== undefined && { "trace-id": trace }),
    ...(isDead && { "dead-letter": true }),
    ...(isFiring(id) && { origin: "schedule" }),
    ...(error !== undefined && { "error-kind": error.kind, "error-message": error.message }),
    ...(caller !== undefined && request !== undefined && { request }),
    ...Object.fromEntries(known),
  };
}

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new ToolError("bad-request", `${name} must be a whole number.`);
  return Number(text);
}
