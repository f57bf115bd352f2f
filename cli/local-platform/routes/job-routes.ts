import { ToolError, type ErrorKind } from "../../../runtime/base/errors.ts";
import { parseJobId } from "../../../runtime/job/job-id.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import { shownAttempts } from "../../../runtime/executor/store/shown-attempts.ts";
import type { ListedJob } from "../../../runtime/executor/store/listed-jobs.ts";
import type { JobRecord, StoredOutcome } from "../../../runtime/executor/store/job-store.ts";
import { apiPath } from "../../../runtime/outside/platform/sidecar/platform-api.ts";
import { traceIdOf } from "../../../runtime/job/trace-context.ts";
import { notFound, type Exchange } from "./exchange.ts";
import { streamJobEvents } from "./event-stream.ts";
import { callerOf, refuseJobs, requireOwn } from "./job-access.ts";
import { answerCall, answerOutput, answerRequest } from "./job-answers.ts";
import { idempotencyOf, idOf, traceOf, waitOf } from "./job-headers.ts";
import { jsonOf, readContent } from "../jobs/job-content.ts";
import type { JobHub } from "../jobs/job-hub.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import { jobRecord, lastWorkerOf, listedJob } from "./job-record.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import { answerMessage } from "./message-routes.ts";
import { readPage, sendPage } from "./pages.ts";
import { answerFork, answerHistory } from "./step-routes.ts";
import { callService } from "../services/call-service.ts";
import type { RegisteredService } from "../services/known-services.ts";
import { turnOfJob } from "../services/service-limits.ts";
import { toolPath, type ServiceRegistry } from "../services/service-registry.ts";
import { EndWatch } from "./wait-for-end.ts";

/** Maximum bytes of a request; workers accept no more. */
const maxRequestBytes = 15 * 1024 * 1024;

/** Kinds of the errors that dead letters have. */
const deadKinds: ReadonlySet<ErrorKind> = new Set(["interrupted", "outdated"]);

export interface JobRouteOptions {
  readonly queue: JobQueue;
  readonly hub: JobHub;
  readonly tokens: JobTokens;
  readonly services: ServiceRegistry;
}

/** Routes for jobs of services, for their callers. */
export class JobRoutes {
  readonly #options: JobRouteOptions;

  constructor(options: JobRouteOptions) {
    this.#options = options;
  }

  /** `POST /services2/{service}/jobs` */
  async submit(exchange: Exchange, service: RegisteredService): Promise<void> {
    const { queue, hub, tokens } = this.#options;
    const parent = callerOf(exchange, tokens);
    const seconds = waitOf(exchange);
    const body = await exchange.body(maxRequestBytes);
    const content = readContent(exchange.header("content-type"), body);
    const path = toolPath(service, content.text, exchange.query("tool"));
    const id = idOf(exchange);
    const turn = turnOfJob(service, jsonOf(content));
    const watch = seconds > 0 ? new EndWatch(hub, id) : undefined;
    try {
      const taken = await queue.submit({
        id,
        service: service.key,
        idempotency: idempotencyOf(exchange, service, body),
        content: {
          ...content,
          ...(path !== undefined && { path }),
          ...(parent !== undefined && { parent: parent.lease.id }),
        },
        ...turn,
        ...traceOf(exchange),
      });
      const outcome =
        taken.outcome ??
        (taken.isNew ? await watch?.wait(seconds * 1000, exchange) : await this.#end(taken.id, seconds, exchange));
      answerCall(exchange, service, taken.id, outcome);
    } finally {
      watch?.stop();
    }
  }

  /** Handles `/jobs/{id}` and its sub-paths; `service`: the service in the path. */
  async one(exchange: Exchange, text: string, below: string | undefined, service?: RegisteredService): Promise<void> {
    const { queue, hub, services } = this.#options;
    const id = parseJobId(text);
    const record = id === undefined ? undefined : await queue.known.get(id);
    if (id === undefined || record === undefined || (service !== undefined && record.tool !== service.key)) {
      throw notFound(`job ${JSON.stringify(text.slice(0, 250))}`);
    }
    const held = callerOf(exchange, this.#options.tokens);
    requireOwn(held, record);
    if (below === "redrive" || below === "fork") refuseJobs(held);
    const owner = await services.get(record.tool);
    switch (`${exchange.method} ${below ?? ""}`) {
      case "GET ": {
        const outcome = record.outcome ?? (await this.#end(id, waitOf(exchange), exchange));
        const now = outcome === record.outcome ? record : ((await queue.known.get(id)) ?? record);
        const withResult = exchange.query("with-result-content") !== "false";
        const attempts = shownAttempts(await queue.known.attempts(id), held !== undefined);
        const times = await queue.known.times(id);
        const shown = jobRecord(now, { service: owner, times, attempts, withResult });
        return exchange.json(200, { ...shown, ...(await this.#lastWorker(now, exchange)) });
      }
      case "GET history":
        return answerHistory(exchange, queue, record);
      case "POST fork":
        return answerFork(exchange, queue, id);
      case "POST messages":
        return answerMessage(exchange, queue, record, { service: owner, sender: held });
      case "GET request":
        return answerRequest(exchange, queue.known, id, owner);
      case "GET output":
        return answerOutput(exchange, record);
      case "GET events":
        return streamJobEvents({ exchange, queue, hub, service: owner, id });
      case "DELETE ": {
        const reason = exchange.query("reason")?.slice(0, 500) ?? "The job was cancelled.";
        const cancelled = await queue.cancel(id, reason);
        // A running job of a REST service is cancelled here by the call that the platform has open. A parked job has no
        // such call, so the service itself is called.
        if (cancelled === "ok" && record.waiting !== undefined && owner.url !== undefined)
          await callService(owner.url, { method: "DELETE", path: apiPath(["jobs", id]), headers: {} }).catch(() => {});
        return exchange.json(cancelled === "ok" ? 202 : 409, {
          "job-id": id,
          status: (await queue.known.get(id))?.state ?? "cancelled",
          ...(cancelled !== "ok" && { message: "The job has ended already." }),
        });
      }
      case "POST redrive":
        if ((await queue.redrive(id)) === "ok") return exchange.json(202, { "job-id": id, status: "pending" });
        return exchange.json(409, { message: "The job is not a dead letter.", id });
      default:
        throw new ToolError("method-not-allowed", `There is no ${exchange.method} for this part of a job.`);
    }
  }

  /** `GET /jobs` and `GET /services2/{service}/jobs`: the latest first. */
  async list(exchange: Exchange, service: RegisteredService | undefined): Promise<void> {
    if (exchange.method !== "GET") throw new ToolError("method-not-allowed", "Use GET here.");
    const { queue, services } = this.#options;
    const page = readPage(exchange);
    const [status, trace] = [exchange.query("status"), exchange.query("trace")];
    const wanted = (job: ListedJob): boolean =>
      (trace === undefined || traceIdOf(job.traceparent) === trace) &&
      (service === undefined || job.tool === service.key) &&
      (status === undefined || job.state === status);
    const held = callerOf(exchange, this.#options.tokens);
    const found: ListedJob[] = [];
    const named = exchange.query("id");
    const only = named === undefined ? held?.lease.id : parseJobId(named);
    if (held !== undefined || named !== undefined) {
      const isSeen = only !== undefined && page.before === undefined && (held === undefined || held.lease.id === only);
      const job = isSeen ? await queue.known.listed(only) : undefined;
      if (job !== undefined && wanted(job)) found.push(job);
    } else
      for await (const job of queue.known.list(page.before, {
        tools: service && [service.key],
        state: status,
        trace,
      })) {
        if (wanted(job) && found.push(job) > page.limit) break;
      }
    const items = found.map((job) => ({ seq: job.seq, item: listedJob(job, services.find(job.tool)) }));
    sendPage(exchange, service === undefined ? "jobs" : `services2/${service.key}/jobs`, page, items);
  }

  /** `GET /dead-letters`: jobs whose workers were lost repeatedly, or whose stored results do not fit the build. */
  async listDead(exchange: Exchange): Promise<void> {
    refuseJobs(callerOf(exchange, this.#options.tokens));
    const { queue, services } = this.#options;
    const items = (await queue.known.deadLetters()).map(({ id, tool, attempt, endedAt, error, detail }) => ({
      id,
      attempt,
      "service-name": services.find(tool)?.name ?? tool,
      service: services.find(tool)?.urn,
      "ended-at": new Date(endedAt).toISOString(),
      "error-kind": error.kind,
      "error-message": error.message,
      ...lastWorkerOf(detail),
    }));
    exchange.json(200, { items });
  }

  /** The end of a dead letter's last worker: shown to the operator, not to other jobs. */
  async #lastWorker({ id, outcome }: JobRecord, exchange: Exchange): Promise<object> {
    if (outcome === undefined || outcome.state === "succeeded" || !deadKinds.has(outcome.error.kind)) return {};
    if (callerOf(exchange, this.#options.tokens) !== undefined) return {};
    const letter = (await this.#options.queue.known.deadLetters()).find((one) => one.id === id);
    return letter === undefined ? {} : { "dead-letter": true, ...lastWorkerOf(letter.detail) };
  }

  /** Waits for the end of a job, which may have ended already. */
  async #end(id: JobUrn, seconds: number, exchange: Exchange): Promise<StoredOutcome | undefined> {
    if (seconds === 0) return undefined;
    const { queue, hub } = this.#options;
    const watch = new EndWatch(hub, id);
    const known = (await queue.known.get(id))?.outcome;
    if (known === undefined) return watch.wait(seconds * 1000, exchange);
    watch.stop();
    return known;
  }
}
