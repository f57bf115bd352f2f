import { setTimeout as sleep } from "node:timers/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { KeptCodec } from "../../../runtime/contract/contract.ts";
import { createExecutor } from "../../../runtime/executor/job-executor.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import type { JobStore, SubmitAnswer } from "../../../runtime/executor/store/job-store.ts";
import { newJobUrn } from "../../../runtime/job/job-id.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import { fakeTool } from "../../support/fake-tool.ts";

export interface ParkedOptions {
  readonly store: JobStore;
  /** Jobs that are parked for a day. */
  readonly jobs: number;
  /** Jobs that are parked until now, and wake together. */
  readonly woken: number;
  /** Milliseconds for which the service is watched while nothing is due. */
  readonly idle: number;
  readonly log: (text: string) => void;
}

export interface ParkedReport {
  /** Milliseconds until a service has found the store and taken up what is due. */
  readonly start: number;
  /** Processor time per second while nothing is due, in milliseconds. */
  readonly idle: number;
  /** Megabytes of heap that the service has more than before. */
  readonly heap: number;
  /** Milliseconds from a message until its job has ended. */
  readonly message: number;
  /** Jobs a second that end when many wake together, and the longest block of the event loop meanwhile, in ms. */
  readonly rate: number;
  readonly block: number;
}

/** Jobs that are stored at once. */
const portion = 1000;
const boolean: KeptCodec = { fingerprint: "b", schema: {}, is: () => true };

/** Parks many jobs in a store, and measures what a service with that store costs. */
export async function runParked({ store, jobs, woken, idle, log }: ParkedOptions): Promise<ParkedReport> {
  const last = await park(store, jobs, { waits: ["go"], delay: 86_400_000 }, log);
  let ended = 0;
  const tool = fakeTool(
    async (_, job: JobContext) => {
      await (job.wait as (...given: unknown[]) => Promise<unknown>)
        .call(job, "go", { within: "1ms" }, boolean)
        .catch(() => {});
      ended += 1;
    },
    { definition: { durable: true, waits: [{ name: "go" }] } },
  );
  const heapBefore = heapOf();
  const began = performance.now();
  const executor = createExecutor({ tools: [tool], store });
  await executor.resume();
  const start = performance.now() - began;
  const cpu = process.cpuUsage();
  await sleep(idle);
  const { user, system } = process.cpuUsage(cpu);
  const heap = heapOf() - heapBefore;
  const sent = performance.now();
  await executor.send({ id: last, name: "go", body: true });
  await until(() => ended === 1);
  const message = performance.now() - sent;
  log(`a message woke its job in ${message.toFixed(0)} ms`);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await park(store, woken, { waits: [], delay: 1 }, log);
  delay.enable();
  const from = performance.now();
  await executor.resume();
  await until(() => ended === woken + 1);
  const rate = (woken / (performance.now() - from)) * 1000;
  delay.disable();
  await executor.drain(0);
  return { start, idle: (user + system) / idle, heap, message, rate, block: delay.max / 1e6 };
}

async function park(
  store: JobStore,
  count: number,
  parking: Parameters<JobStore["park"]>[1],
  log: (text: string) => void,
): Promise<JobUrn> {
  let last = newJobUrn();
  for (let done = 0; done < count; done += portion) {
    const ids = Array.from({ length: Math.min(portion, count - done) }, newJobUrn);
    const answers = await Promise.all(
      ids.map((id) => store.submit({ id, tool: "echo", input: {}, ttl: 86_400, maxAttempts: 3 }, 60)),
    );
    await Promise.all(answers.map((answer) => store.park(leaseOf(answer), parking)));
    last = ids.at(-1) ?? last;
    if ((done / portion) % 100 === 99) log(`${done + portion} jobs are parked`);
  }
  return last;
}

function leaseOf(answer: SubmitAnswer): Parameters<JobStore["park"]>[0] {
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error("the store gave no lease");
  return answer.lease;
}

function heapOf(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1);
}
