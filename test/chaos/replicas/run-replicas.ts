import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newJobUrn } from "../../../runtime/job/job-id.ts";
import { startPostgresPair } from "../../support/postgres-pair.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { createChance, type Chance } from "../chance.ts";
import { checkHistory } from "../check-history.ts";
import { freePort } from "../../support/free-port.ts";
import type { Entry } from "../history.ts";
import { createJobHolder, type JobHolder } from "../job-holder.ts";
import { readRuns } from "../read-events.ts";
import { digestOf } from "../recording-proxy.ts";
import { summary, type SweepReport } from "../summary.ts";
import { startVictim, type Victim } from "../victim.ts";
import { readAudit, startAudit } from "./audit.ts";
import { followEvents } from "./follow-events.ts";
import { runNemesis } from "./nemesis.ts";

export interface ReplicaSweepOptions {
  readonly jobs: number;
  /** Kills of replicas. */
  readonly kills: number;
  /** Kills of the PostgreSQL server. */
  readonly serverKills: number;
  /** The server has a synchronous standby: some of its kills are failovers to that, and some hit the standby. */
  readonly hasStandby?: boolean;
  readonly replicas: number;
  /** Milliseconds after which no job and no kill begins any more. */
  readonly longest: number;
  readonly seed: number;
  /** Data folder; must exist. */
  readonly folder: string;
  /** Entry of the service. */
  readonly entry: string;
  readonly log: (text: string) => void;
}

/** Jobs at the same time, for each replica: some wait for the lease of a dead one. */
const underWay = 24;
const maxAttempts = 3;
/** Jobs whose ends are read at the same time. */
const checkedAtOnce = 16;

/**
 * Runs jobs on replicas of one service while they and their database are killed, and checks what everybody was told.
 */
export async function runReplicas(options: ReplicaSweepOptions): Promise<SweepReport> {
  const { replicas: count, seed, folder, entry, log } = options;
  const chance = createChance(seed);
  const history: Entry[] = [];
  const write = (one: Entry): void => void history.push(one);
  const pair = options.hasStandby === true ? await startPostgresPair() : undefined;
  const server = pair ?? (await startPostgres());
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const any = (): string => `http://127.0.0.1:${ports[Math.floor(Math.random() * count)]}`;
  const start = (port: number, index: number): Victim => {
    const place = join(folder, `replica-${index}`);
    mkdirSync(place, { recursive: true });
    const env = { HOST: "127.0.0.1", PORT: String(port), TENON_STORE: server.url() };
    return startVictim({ name: "replica", entry, env, folder: place, ready: /listens on/ });
  };
  const replicas = ports.map(start);
  const reading = new AbortController();
  try {
    await Promise.all(replicas.map((replica) => replica.ready()));
    await startAudit(server.url());
    const holder = createJobHolder("service", any, write);
    const until = performance.now() + options.longest;
    const progress = { ended: 0, killed: 0, isOver: () => performance.now() > until };
    const readers: Promise<Entry>[] = [];
    const follow = (id: string): void => void readers.push(followEvents(any, id, reading.signal));
    // The last jobs begin without kills.
    const last = options.jobs - underWay * count;
    const nemesis = runNemesis({ ...options, server, pair, replicas, chance, progress, last });
    const ids = await runJobs({ ...options, holder, chance, underWay: underWay * count, progress, follow });
    log(`${progress.ended} jobs have ended`);
    const hits = await nemesis;
    // One more kill of all, so that the following answers come from the disk, or from that of the standby.
    for (const replica of replicas) replica.kill();
    if (pair === undefined) {
      await server.kill();
      await server.start();
    } else await pair.failOver(false);
    await Promise.all(replicas.map((replica) => replica.ready()));
    history.push(...(await Promise.all(readers)));
    const left = ids.values();
    const check = async (): Promise<void> => {
      for (const id of left) {
        await holder.look(id);
        write(await readRuns(any(), id));
      }
    };
    await Promise.all(Array.from({ length: checkedAtOnce }, check));
    history.push(...(await readAudit(server.url(), digestOf)));
    return { ...hits, ...summary(history), breaches: checkHistory(history, maxAttempts), history };
  } finally {
    reading.abort();
    await Promise.all(replicas.map((replica) => replica.stop()));
    await server.stop();
  }
}

interface JobsOptions {
  readonly holder: JobHolder;
  readonly chance: Chance;
  readonly jobs: number;
  readonly underWay: number;
  readonly kills: number;
  readonly progress: { ended: number; readonly killed: number; readonly isOver: () => boolean };
  readonly follow: (id: string) => void;
}

async function runJobs(options: JobsOptions): Promise<string[]> {
  const { holder, chance, jobs, kills, underWay: width, progress, follow } = options;
  const ids: string[] = [];
  // Jobs wait for kills as kills wait for jobs: a start of a replica may take longer than many jobs.
  const isAhead = (): boolean => ids.length - 2 * width > ((progress.killed + 1) / kills) * jobs;
  const work = async (): Promise<void> => {
    while (ids.length < jobs && !progress.isOver()) {
      if (isAhead()) {
        await sleep(20);
        continue;
      }
      const id = newJobUrn();
      ids.push(id);
      const request = {
        text: `job ${ids.length}`,
        milliseconds: chance.below(600),
        events: 1 + chance.below(4),
        ...(chance.happens(0.004) && { poison: true }),
      };
      const [again, cancel, same] = [chance.happens(0.05), chance.happens(0.03), chance.happens(0.5)];
      const [waits, isRead] = [chance.happens(0.3), chance.happens(0.3)];
      await holder.submit(id, request, waits);
      if (isRead) follow(id);
      if (again) await holder.submitAgain(id, request, same);
      if (cancel) await holder.cancel(id);
      while (["pending", "executing"].includes((await holder.look(id)).status)) await sleep(20);
      progress.ended++;
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, jobs) }, work));
  return ids;
}
