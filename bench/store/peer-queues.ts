import { EventEmitter } from "node:events";
import { Logger, run } from "graphile-worker";
import { Pool } from "pg";
import { PgBoss } from "pg-boss";
import type { Queue, QueueContender } from "./queue.ts";
import { input, output } from "./steps.ts";

const concurrency = 50;

/** Each library in its plain way, and in the way that its documentation advises for many jobs. */
export const peerQueues: readonly QueueContender[] = [
  { name: "pg-boss, send, fetch and complete", open: openBoss },
  { name: "pg-boss, worker with batches", open: openBossWorker },
  { name: "graphile-worker", open: (url, schema) => openGraphile(url, schema, {}) },
  {
    name: "graphile-worker, local queue and batches",
    open: (url, schema) =>
      openGraphile(url, schema, {
        localQueue: { size: concurrency + 1 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      }),
  },
];

async function startBoss(url: string, schema: string, isTold: boolean): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, schema, useListenNotify: isTold });
  boss.on("error", (error) => console.error(error.message));
  await boss.start();
  await boss.createQueue("bench", { notify: isTold });
  return boss;
}

async function send(boss: PgBoss): Promise<string> {
  const id = await boss.send("bench", input);
  if (id === null) throw new Error("pg-boss did not take the job");
  return id;
}

async function openBoss(url: string, schema: string): Promise<Queue> {
  const boss = await startBoss(url, schema, false);
  return {
    submit: async () => void (await send(boss)),
    async through() {
      await send(boss);
      // There is a job for each who asks; one that another is about to take is passed over.
      for (;;) {
        const [job] = await boss.fetch("bench");
        if (job === undefined) continue;
        await boss.complete("bench", job.id, output);
        return;
      }
    },
    close: () => boss.stop({ graceful: false }),
  };
}

async function openBossWorker(url: string, schema: string): Promise<Queue> {
  const boss = await startBoss(url, schema, true);
  const ends = new Ends();
  const options = { batchSize: concurrency, burstWhenBatchFull: true, localConcurrency: 2 };
  // It tells nobody when the end is stored, so a job counts as ended when its worker has it.
  await boss.work("bench", options, (jobs) => {
    for (const { id } of jobs) ends.tell(id);
    return Promise.resolve(output);
  });
  return {
    submit: async () => void (await send(boss)),
    through: async () => ends.of(await send(boss)),
    close: () => boss.stop({ graceful: false }),
  };
}

async function openGraphile(url: string, schema: string, options: object): Promise<Queue> {
  const ends = new Ends();
  const events = new EventEmitter();
  events.on("job:complete", ({ job }: { readonly job: { readonly id: string } }) => ends.tell(job.id));
  const pgPool = new Pool({ connectionString: url, max: concurrency + 2 });
  pgPool.on("error", () => {});
  pgPool.on("connect", (client) => client.on("error", () => {}));
  const runner = await run({
    events: events as never,
    logger: new Logger(() => () => {}),
    noHandleSignals: true,
    taskList: { bench: async () => {} },
    pgPool,
    preset: { worker: { schema, concurrentJobs: concurrency, ...options } } as never,
  });
  const add = async (): Promise<string> => (await runner.addJob("bench", input)).id;
  return {
    submit: async () => void (await add()),
    through: async () => ends.of(await add()),
    async close() {
      await runner.stop();
      await pgPool.end();
    },
  };
}

/** Ends of jobs, which may come before their ids. */
class Ends {
  readonly #early = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  tell(id: string): void {
    const wake = this.#waiting.get(id);
    if (wake === undefined) this.#early.add(id);
    else wake();
    this.#waiting.delete(id);
  }

  async of(id: string): Promise<void> {
    if (this.#early.delete(id)) return;
    await new Promise<void>((resolve) => this.#waiting.set(id, resolve));
  }
}
