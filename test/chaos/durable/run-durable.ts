import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newJobUrn } from "../../../runtime/job/job-id.ts";
import { freePort } from "../../support/free-port.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { createChance, type Chance } from "../chance.ts";
import { startVictim, type Victim } from "../victim.ts";
import { checkEffects, type EffectReport, type EndedJob } from "./check-effects.ts";
import type { DurableResult } from "./durable-tool.ts";
import { openLedger } from "./ledger.ts";

export interface DurableSweepOptions {
  readonly store: "sqlite" | "postgres";
  readonly jobs: number;
  /** Kills of services. */
  readonly kills: number;
  /** Kills of the PostgreSQL server. */
  readonly serverKills: number;
  /** Number of services on one PostgreSQL; SQLite has one. */
  readonly replicas: number;
  readonly seed: number;
  /** Data folder; must exist. */
  readonly folder: string;
  /** Entry of the service. */
  readonly entry: string;
  readonly log: (text: string) => void;
}

export interface DurableReport extends EffectReport {
  readonly kills: number;
  readonly pauses: number;
  readonly effects: number;
}

/** Jobs at the same time. */
const underWay = 48;
const logEvery = 500;

/** Runs durable jobs while their services and database are killed, and compares their results with the ledger. */
export async function runDurable(options: DurableSweepOptions): Promise<DurableReport> {
  const { store, jobs, kills, serverKills, seed, folder, entry, log } = options;
  const chance = createChance(seed);
  const ledger = await openLedger(createChance(seed + 1));
  const server = store === "postgres" ? await startPostgres() : undefined;
  const ports = await Promise.all(Array.from({ length: server === undefined ? 1 : options.replicas }, freePort));
  const services = ports.map((port, index): Victim => {
    const place = join(folder, `durable-${index}`);
    mkdirSync(place, { recursive: true });
    const env = {
      HOST: "127.0.0.1",
      PORT: String(port),
      CHAOS_TOOL: "durable",
      TENON_STORE: server?.url() ?? `sqlite:${join(place, "jobs.db")}`,
    };
    return startVictim({ name: "service", entry, env, folder: place, ready: /listens on/ });
  });
  const at = (): string => `http://127.0.0.1:${ports[Math.floor(Math.random() * ports.length)]}`;
  const ended: EndedJob[] = [];
  let begun = 0;
  let pauses = 0;
  const work = async (): Promise<void> => {
    while (begun < jobs) {
      begun += 1;
      ended.push(await runJob(at, ledger.url, begun, chance));
      if (ended.length % logEvery === 0) log(`${ended.length} jobs have ended, ${ledger.effects.length} effects`);
    }
  };
  const nemesis = async (): Promise<void> => {
    for (let kill = 1; kill <= kills; kill++) {
      // Kills keep pace with the jobs.
      while (ended.length < Math.min(jobs - underWay, ((kill - 0.5) / kills) * jobs)) await sleep(5);
      await sleep(chance.next() * 30);
      const victim = services[chance.below(services.length)];
      await Promise.race([victim?.ready(), sleep(10_000)]);
      if (server !== undefined && chance.happens(0.2)) {
        // For longer than its lease: it goes on and believes that it still has its jobs.
        services[chance.below(services.length)]?.pause(20_000);
        pauses += 1;
      }
      victim?.kill();
      if (
        server === undefined ||
        Math.floor((kill / kills) * serverKills) <= Math.floor(((kill - 1) / kills) * serverKills)
      )
        continue;
      await server.kill();
      await sleep(chance.below(2000));
      await server.start();
    }
  };
  try {
    await Promise.all(services.map((service) => service.ready()));
    await Promise.all([nemesis(), ...Array.from({ length: Math.min(underWay, jobs) }, work)]);
    for (const service of services) service.kill();
    await Promise.all(services.map((service) => service.ready()));
    const again: EndedJob[] = [];
    for (const job of ended) again.push({ ...job, results: [...job.results, (await look(at, job.id)).result] });
    return { ...checkEffects(again, ledger.effects), kills, pauses, effects: ledger.effects.length };
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await server?.stop();
    ledger.close();
  }
}

async function runJob(at: () => string, ledger: string, number: number, chance: Chance): Promise<EndedJob> {
  const id = newJobUrn();
  const request = {
    ledger,
    steps: chance.below(4),
    waits: chance.happens(0.3),
    sleep: chance.happens(0.3) ? chance.below(300) : 0,
  };
  const told = await until(() =>
    ask(`${at()}/tool`, {
      method: "POST",
      headers: { "content-type": "application/json", "job-id": id, prefer: "respond-async" },
      body: JSON.stringify(request),
    }),
  );
  if (!told.ok) throw new Error(`The service answers ${told.status} ${await told.text()}`);
  if (request.waits) {
    // Early for some, while it runs for others, and late for those that are parked.
    await sleep(chance.below(300));
    const [headers, body] = [{ "content-type": "application/json", "idempotency-key": id }, String(number)];
    const send = (): Promise<Response> => ask(`${at()}/jobs/${id}/messages/go`, { method: "POST", headers, body });
    await until(send);
    if (chance.happens(0.2)) await send().catch(() => undefined);
  }
  for (;;) {
    const { state, result } = await look(at, id);
    if (state !== "pending") {
      return { id, state, steps: request.steps, message: request.waits ? number : null, results: [result] };
    }
    await sleep(100);
  }
}

async function look(at: () => string, id: string): Promise<{ state: string; result?: DurableResult }> {
  const response = await until(() => ask(`${at()}/jobs/${id}`, {}));
  if (response.status === 202) return { state: "pending" };
  const body: unknown = await response.json();
  return response.status === 200
    ? { state: "succeeded", result: body as DurableResult }
    : { state: `${response.status} ${JSON.stringify(body)}` };
}

function ask(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
}

/** Repeats a request until a service answers it for good; an ended job's own error is 500. */
async function until(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send().catch(() => undefined);
    if (response !== undefined && response.status <= 500 && ![408, 429].includes(response.status)) return response;
    await response?.text().catch(() => "");
    await sleep(50);
  }
}
