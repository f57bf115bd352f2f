import { CallError, lostJob } from "../../client/call-error.ts";
import { EventLog } from "../../client/event-log.ts";
import { planOfSchema } from "../../client/plan-of-schema.ts";
import type { CallOptions, RemoteJob, ToolFacts, Transport, WireResult } from "../../client/transport.ts";
import type { ToolFunction } from "../../client/request-types.ts";
import { unlessAborted } from "../../client/unless-aborted.ts";
import { runJob } from "../../executor/run/run-job.ts";
import { problemKinds } from "../../base/problem-kinds.ts";
import { parseJobId } from "../../job/job-id.ts";
import type { JobOutcome } from "../../job/job.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { findTool } from "./find-tool.ts";
import { RecordedRun, type JobOptions } from "./recorded-job.ts";
import { textOf } from "./tool-call-error.ts";

/** A job that runs, or has run, in this process. */
interface KnownJob {
  readonly run: RecordedRun;
  readonly job: RemoteJob;
}

/** A transport to the tools of this process, for a client: each call is a job of its own, without a network. */
export function inProcessTransport(tools: object, options: Omit<JobOptions, "signal" | "jobId">): Transport {
  const jobs = new Map<string, KnownJob>();
  const keys = new Map<string, { readonly body: string; readonly known: KnownJob }>();

  function toolOf(name: string): Tool {
    const author = (tools as Readonly<Record<string, unknown>>)[name];
    if (typeof author === "function") return findTool(author as ToolFunction);
    const names = Object.keys(tools).join(", ");
    throw new CallError("not-found", `There is no tool ${JSON.stringify(name)} among the given ones: ${names}`);
  }

  function begin(facts: ToolFacts, body: string, { idempotencyKey }: CallOptions): KnownJob {
    const shared = idempotencyKey === undefined ? undefined : keys.get(idempotencyKey);
    const request = `${facts.name}\n${body}`;
    if (shared !== undefined) {
      if (shared.body === request) return shared.known;
      throw new CallError("idempotency-conflict", "The key belongs to another request.", { status: 422 });
    }
    const run = new RecordedRun(toolOf(facts.name), JSON.parse(body), options);
    const known = { run, job: jobOf(run) };
    jobs.set(run.id, known);
    if (idempotencyKey !== undefined) keys.set(idempotencyKey, { body: request, known });
    runJob(run);
    return known;
  }

  return {
    async tool(name) {
      const { definition } = toolOf(name);
      return {
        name,
        path: "",
        kind: definition.result.kind,
        isRepeatable: false,
        plan: planOfSchema(definition.result.schema),
      };
    },
    async call(facts, body, call) {
      const { run, job } = begin(facts, body, call);
      const unfollow = call.idempotencyKey === undefined ? run.follow(call.signal) : () => {};
      try {
        return await job.result(call.signal);
      } finally {
        unfollow();
      }
    },
    start: async (facts, body, call) => begin(facts, body, call).job,
    job: (_, id) => jobs.get(parseJobId(id) ?? "")?.job ?? unknownJob(id),
  };
}

function jobOf(run: RecordedRun): RemoteJob {
  return {
    id: run.id,
    result: async (signal) => readOutcome(await unlessAborted(run.done, signal), run.id),
    async *events(after, signal) {
      const log = new EventLog();
      const stop = run.onEvent(({ sequence: id, publicBody: data }) =>
        log.push({ id, schema: String(data["$schema"]), data }),
      );
      run.onEnd(() => log.end());
      try {
        yield* log.read(after, signal);
      } finally {
        stop();
      }
    },
    cancel: async () => void run.cancel("Cancelled by its caller."),
    send: async () => {
      throw new CallError("unavailable", "A job in a test takes its messages from the option `messages`.", {
        jobId: run.id,
      });
    },
  };
}

function unknownJob(id: string): RemoteJob {
  const fail = async (): Promise<never> => {
    throw lostJob(id);
  };
  return {
    id,
    result: fail,
    async *events() {
      yield await fail();
    },
    cancel: async () => {},
    send: fail,
  };
}

/** Converts an outcome to the form of a result over REST. */
async function readOutcome(outcome: JobOutcome, jobId: string): Promise<WireResult> {
  if (outcome.state !== "succeeded") {
    const { kind, problems, retryAfter } = outcome.error;
    const { status } = problemKinds[kind];
    throw new CallError(kind, textOf(outcome.error), { status, problems, jobId, retryAfter });
  }
  const { result } = outcome;
  if (result.kind === "json") return { kind: "json", value: JSON.parse(result.json) };
  if (result.kind === "text") return { kind: "text", text: result.text };
  const { content, contentType: type } = result;
  const body = content instanceof ReadableStream ? await new Response(content).arrayBuffer() : content;
  return { kind: "blob", blob: new Blob([body as ArrayBuffer | string], { type }) };
}
