import type { Exchange, Handler } from "../http/exchange.ts";
import { parseJsonBody } from "../http/parse-json.ts";
import { failureAnswer } from "../http/failure-answer.ts";
import { checkJsonHeaders } from "../http/read-body.ts";
import type { Executor } from "../../executor/executor.ts";
import type { Delivery } from "../../outside/platform/delivery/delivery-to-log.ts";
import type { Job, JobOutcome, Submission, HttpCall } from "../../job/job.ts";
import { requestDigest } from "../../job/request-digest.ts";
import type { Caller } from "../http/identity.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { createWaitingRoom, type Waiter } from "./waiting-room.ts";
import { outcomeAnswer } from "./answer-job.ts";
import { pendingAnswer } from "./pending-answer.ts";
import { readCallHeaders, type CallHeaders } from "./call-headers.ts";
import { defaultWait } from "../../service/tools/tool-options.ts";

export interface PostToolOptions {
  readonly executor: Executor;
  readonly bodyLimit: number;
  readonly deferredStatus: 202 | 204;
  /**
   * True if `Authorization` is the job's token, from the platform's gateway. Otherwise the header belongs to the caller
   * and is never passed on.
   */
  readonly onPlatform: boolean;
  /** Receives the results of deferred jobs, since their caller may never come back, and the events of all jobs. */
  readonly delivery: Pick<Delivery, "report" | "reportsResults" | "catchUp">;
  /** Path under which a host serves all routes; default none. */
  readonly base?: string | undefined;
}

/**
 * Answers `POST` of one tool. This is the hot path of every call.
 *
 * @param other Answers every other method.
 */
export function createPostTool(tool: Tool, options: PostToolOptions, other: Handler): Handler {
  const { executor, bodyLimit, deferredStatus, onPlatform, delivery, base } = options;
  const waitLater = createWaitingRoom();
  const wait = tool.options.maxWaitTime ?? defaultWait;
  const { scopes, request } = tool.definition;
  const takesNothing = request === undefined;
  return (exchange, caller) => {
    if (scopes !== undefined) caller?.require(scopes);
    if (exchange.method !== "POST") return other(exchange, caller);
    const call = readCallHeaders(exchange, wait);
    const isAbandonable = call.id === undefined && call.idempotencyKey === undefined && tool.definition.keep !== true;
    // A tool without a request may be called without a body; then the content type is not checked.
    const mayBeEmpty = takesNothing && !hasDeclaredBody(exchange);
    if (!mayBeEmpty) checkJsonHeaders(exchange);
    exchange.body(bodyLimit, (refused, body) => {
      let job: Job | undefined;
      try {
        if (refused !== undefined) throw refused;
        const isEmpty = mayBeEmpty && body.length === 0;
        if (mayBeEmpty && !isEmpty) checkJsonHeaders(exchange);
        const input = isEmpty ? undefined : parseJsonBody(body);
        const authorization = onPlatform ? exchange.header("authorization") : undefined;
        const http = executor.observer && exchange.call;
        job = executor.start(submission(tool, input, call, { authorization, caller, body, http }));
        waitFor(job, call.wait);
      } catch (thrown) {
        exchange.answer(failureAnswer(thrown, job?.id ?? call.id));
      }
    });

    function waitFor(job: Job, seconds: number): void {
      if (job.outcome !== undefined) {
        conclude(job, job.outcome);
        return;
      }
      if (seconds === 0) {
        defer(job);
        return;
      }
      const waiter: Waiter = {
        job,
        milliseconds: seconds * 1000,
        watch: isAbandonable ? () => cancelWithClient(waiter) : nothing,
        late: () => {
          job.offEnd(ended);
          defer(job);
        },
        timer: undefined,
        over: false,
      };
      const ended = (outcome: JobOutcome): void => {
        if (waiter.over) return;
        waiter.over = true;
        clearTimeout(waiter.timer);
        // Exceptions are caught, since the listener runs inside the executor and must not throw into it.
        try {
          conclude(job, outcome);
        } catch {
          exchange.cut();
        }
      };
      waitLater(waiter);
      job.onEnd(ended);
    }

    /**
     * Cancels a job when its caller disconnects. The caller has neither named the job nor received its id, so nobody
     * could request the result.
     */
    function cancelWithClient(waiter: Waiter): void {
      exchange.onGone(() => {
        if (waiter.over || waiter.job.outcome !== undefined) return;
        waiter.over = true;
        clearTimeout(waiter.timer);
        waiter.job.cancel("The client left without an answer.");
      });
    }

    /** Ends the job for the platform, which accepts no events after the answer. */
    function conclude(job: Job, outcome: JobOutcome): void {
      const behind = delivery.reportsResults ? delivery.catchUp(job.id) : undefined;
      if (behind === undefined) exchange.answer(outcomeAnswer(job, outcome));
      else behind.then(() => exchange.answer(outcomeAnswer(job, outcome))).catch(() => exchange.cut());
    }

    function defer(job: Job): void {
      executor.keep(job).then(
        () => {
          const { outcome } = job;
          if (outcome !== undefined) return conclude(job, outcome);
          delivery.report(job, { authorization: onPlatform ? exchange.header("authorization") : undefined });
          exchange.answer(pendingAnswer(job, deferredStatus, base));
        },
        (thrown: unknown) => {
          // The caller cannot ask for the job later, and may repeat the call.
          if (isAbandonable) job.cancel("The job could not be kept.");
          exchange.answer(failureAnswer(thrown, job.id));
        },
      );
    }
  };
}

function nothing(): void {}

function hasDeclaredBody(exchange: Exchange): boolean {
  const length = exchange.header("content-length");
  return (length !== undefined && length !== "0") || exchange.header("transfer-encoding") !== undefined;
}

/** The parts of a call besides its input and its headers. */
interface Sender {
  /** The platform's token of the job. */
  readonly authorization: string | undefined;
  readonly caller: Caller | undefined;
  readonly body: Buffer;
  readonly http: HttpCall | undefined;
}

/** Converts a call of a tool to a submission for the executor. */
function submission(
  tool: Tool,
  input: unknown,
  { id, idempotencyKey, traceparent, tracestate, baggage }: CallHeaders,
  { authorization, caller, body, http }: Sender,
): Submission {
  return {
    tool,
    input,
    id,
    idempotency:
      idempotencyKey === undefined ? undefined : { key: idempotencyKey, digest: requestDigest(tool.name, body) },
    authorization,
    owner: caller?.owner,
    caller: caller?.identity,
    traceparent,
    tracestate: traceparent === undefined ? undefined : tracestate,
    baggage,
    http,
  };
}
