import { ValueError } from "../../base/errors.ts";
import { jsonSafeFields } from "../../base/json-safe.ts";
import { systemClock } from "../../base/clock.ts";
import { errorOfAnswer, type ApiRequest, type PlatformApi } from "../../outside/platform/sidecar/platform-api.ts";
import { PlatformError } from "../../outside/platform/sidecar/platform-errors.ts";
import type { SidecarAnswer } from "../../outside/platform/sidecar/sidecar-client.ts";

/** A running job of a fake service. */
export interface FakeServiceJob {
  readonly urn: string;
  /** Reports an event to all readers of the job's events. */
  report(event: object): void;
  /** Messages that the caller has sent to the job so far, in order. */
  readonly messages: readonly ServiceMessage[];
}

/** A message that a caller has sent to a job of a fake service. */
export interface ServiceMessage {
  readonly name: string;
  readonly message: unknown;
  /** Key of a wait in a loop. */
  readonly key?: string;
}

/** A fake service, defined by a test. */
export interface FakeService {
  readonly name: string;
  /** Default: `urn:platform:service:<name>`. */
  readonly urn?: string;
  readonly description?: string;
  /** Runs the job and returns its result. A `ValueError` fails the job; any other error is a system error. */
  run(request: unknown, job: FakeServiceJob): unknown;
}

/** A request to a fake service. */
export interface ServiceRequest {
  /** Name of the called service. */
  readonly service: string;
  readonly data: unknown;
}

interface StoredJob {
  readonly urn: string;
  record: Readonly<Record<string, unknown>>;
  readonly events: string[];
  /** Resolves with the next event. */
  next: PromiseWithResolvers<void>;
  /** The messages of the caller. */
  readonly messages: ServiceMessage[];
  /** Idempotency keys of the messages. */
  readonly keys: Set<string>;
  done: Promise<void>;
}

/** The services of the fake platform, with the interface that the real client uses. */
export function createFakeServices(given: readonly FakeService[]): {
  readonly api: PlatformApi;
  readonly requests: readonly ServiceRequest[];
} {
  const services = new Map(given.map((one) => [one.urn ?? `urn:platform:service:${one.name}`, one]));
  const requests: ServiceRequest[] = [];
  const jobs = new Map<string, StoredJob>();

  const start = (service: FakeService, data: unknown): StoredJob => {
    requests.push({ service: service.name, data });
    const urn = `urn:platform:job:test-${jobs.size + 1}`;
    const events: string[] = [];
    const messages: ServiceMessage[] = [];
    const tell = (type: string, content: object): void => {
      events.push(`id: ${events.length}\ndata: ${JSON.stringify({ type, data: jsonSafeFields(content) })}\n\n`);
      job.next.resolve();
      job.next = Promise.withResolvers();
    };
    const end = (status: string, more: object): void => {
      job.record = { id: urn, status, ...more };
      tell("platform.job.status", { "job-urn": urn, status });
      if (status === "succeeded") tell("platform.job.result", { "job-urn": urn });
    };
    const job: StoredJob = {
      urn,
      events,
      next: Promise.withResolvers(),
      messages,
      keys: new Set(),
      record: { id: urn, status: "executing" },
      done: Promise.resolve(),
    };
    jobs.set(urn, job);
    const report = (event: object): void => tell("platform.job.event", event);
    job.done = work(service, data, { urn, report, messages }).then(
      (result) => end("succeeded", { "result-content": jsonSafeFields({ result })["result"] ?? null }),
      (error: unknown) =>
        end(error instanceof ValueError ? "failed" : "error", {
          "error-message": error instanceof Error ? error.message : String(error),
        }),
    );
    return job;
  };

  const answer = async ({ method, path, body, headers = {} }: ApiRequest): Promise<SidecarAnswer> => {
    const { pathname, searchParams } = new URL(path, "http://platform/");
    const [, , service = "", , urn, , name] = pathname.split("/").map(decodeURIComponent);
    if (service === "") return reply(200, { items: found(services, searchParams.get("filter")) });
    const asked = services.get(service);
    if (asked === undefined) return reply(404, { message: `there is no service ${service}` });
    const known = jobs.get(urn ?? "");
    if (method === "POST" && name !== undefined) {
      const message = { name, message: JSON.parse(String(body)) as unknown };
      const key = searchParams.get("key");
      return receive(known, key === null ? message : { ...message, key }, headers["Idempotency-Key"]);
    }
    if (method === "POST") {
      const job = start(asked, JSON.parse(String(body)));
      // A caller that waits gets the result; the timeout of the real platform is not simulated.
      if (Number(headers["Timeout"]) > 0) await job.done;
      if (job.record["status"] !== "succeeded" || headers["Timeout"] === "0") return reply(202, { "job-id": job.urn });
      return reply(200, job.record["result-content"], { "job-id": job.urn });
    }
    return known === undefined ? reply(404, { message: `there is no job ${urn}` }) : reply(200, known.record);
  };

  const call: PlatformApi["call"] = async (request) => {
    const told = await answer(request);
    if (told.status < 300) return told;
    throw errorOfAnswer(request.operation, told);
  };
  const running = (): Promise<void>[] => [...jobs.values()].map(({ done }) => done);
  const api: PlatformApi = {
    signal: new AbortController().signal,
    // A pause between two polls ends as soon as all jobs have ended, so that tests do not wait for poll intervals.
    clock: {
      ...systemClock,
      sleep: (ms, signal) => Promise.race([Promise.all(running()).then(() => {}), systemClock.sleep(ms, signal)]),
    },
    call,
    once: async (request) => ({ answer: await call(request) }),
    async stream(request) {
      const job = jobs.get(decodeURIComponent(request.path.split("/")[4] ?? ""));
      if (job === undefined) throw new PlatformError(request.operation, "there is no such job.", { status: 404 });
      return { status: 200, headers: {}, body: eventsOf(job), discard() {} };
    },
    pause: async (operation, _failures, { reason }) => {
      throw new PlatformError(operation, reason);
    },
  };
  return { api, requests };
}

/** Runs a service. Since this function is `async`, a synchronous exception of the service fails its job, too. */
async function work(service: FakeService, data: unknown, job: FakeServiceJob): Promise<unknown> {
  return service.run(data, job);
}

/** Answers a message to a job as the platform does. */
function receive(job: StoredJob | undefined, message: ServiceMessage, key: string | undefined): SidecarAnswer {
  if (job === undefined) return reply(404, { message: "there is no such job" });
  if (key !== undefined && job.keys.has(key)) return reply(200, null);
  if (job.record["status"] !== "executing") return reply(410, { message: "the job has ended" });
  if (key !== undefined) job.keys.add(key);
  job.messages.push(message);
  return reply(202, null);
}

async function* eventsOf(job: StoredJob): AsyncGenerator<Uint8Array, void, undefined> {
  for (let told = 0; ;) {
    for (; told < job.events.length; told++) yield Buffer.from(job.events[told] ?? "");
    if (job.record["status"] !== "executing") return;
    await job.next.promise;
  }
}

/** Filters services by name; any other filter returns all of them. */
function found(services: ReadonlyMap<string, FakeService>, filter: string | null): readonly object[] {
  const name = /^name~='(.*)'$/.exec(filter ?? "")?.[1]?.replaceAll("''", "'");
  return [...services]
    .filter(([, service]) => name === undefined || service.name.includes(name))
    .map(([id, service]) => ({ id, name: service.name, description: service.description }));
}

function reply(status: number, content: unknown, headers: Record<string, string> = {}): SidecarAnswer {
  const body = Buffer.from(JSON.stringify(content ?? null));
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}
