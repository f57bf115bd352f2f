import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newJobUrn } from "../../runtime/job/job-id.ts";
import type { VictimEntries } from "./bundle-victims.ts";
import { createChance, type Chance } from "./chance.ts";
import type { ChaosRequest } from "./chaos-tool.ts";
import { checkHistory } from "./check-history.ts";
import { freePort } from "../support/free-port.ts";
import type { Entry } from "./history.ts";
import { createJobHolder, type JobHolder } from "./job-holder.ts";
import { readEvents } from "./read-events.ts";
import { startRecordingProxy } from "./recording-proxy.ts";
import { summary, type SweepReport } from "./summary.ts";
import { startVictim, type Victim } from "./victim.ts";

export interface SweepOptions {
  readonly jobs: number;
  readonly kills: number;
  readonly seed: number;
  readonly workers: number;
  /** Seconds of a worker's lease without renewal. */
  readonly leaseSeconds: number;
  /** Data folder; must exist. */
  readonly folder: string;
  readonly entries: VictimEntries;
  readonly log: (text: string) => void;
}

/** Number of concurrent jobs. */
const underWay = 48;
/** Share of kills and jobs that go to the service that keeps its own jobs. */
const serviceShare = 0.25;
const platformShare = 0.15;
const pauseShare = 0.03;
const maxAttempts = 3;
/** Number of kills between two log lines. */
const logEvery = 20;

/** Runs jobs while killing their workers and holders, and checks all answers to callers and workers. */
export async function runSweep(options: SweepOptions): Promise<SweepReport> {
  const { jobs, kills, seed, leaseSeconds, folder, entries, log } = options;
  const chance = createChance(seed);
  const history: Entry[] = [];
  const write = (entry: Entry): void => void history.push(entry);
  const [platformPort, servicePort] = [await freePort(), await freePort()];
  const platformUrl = `http://127.0.0.1:${platformPort}`;
  const proxy = await startRecordingProxy(platformUrl, write);
  const place = (name: string): string => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
  const platform = startVictim({
    name: "platform",
    entry: entries.platform,
    words: [place("platform-data"), String(platformPort), String(leaseSeconds)],
    env: {},
    folder: place("platform"),
    ready: /listens on/,
  });
  const service = startVictim({
    name: "service",
    entry: entries.service,
    env: { HOST: "127.0.0.1", PORT: String(servicePort), TENON_STORE: "sqlite:jobs.db" },
    folder: place("service"),
    ready: /listens on/,
  });
  const workers = Array.from({ length: options.workers }, (_, index) =>
    startVictim({
      name: "worker",
      entry: entries.worker,
      env: { PLATFORM_BASE_URL: `${proxy.url}/chaos`, PLATFORM_FETCH_TIMEOUT: "600" },
      folder: place(`worker-${index}`),
      ready: /fetches jobs/,
    }),
  );
  const victims = [platform, service, ...workers];
  try {
    await Promise.all(victims.map((victim) => victim.ready()));
    const holders = {
      platform: createJobHolder("platform", () => platformUrl, write),
      service: createJobHolder("service", () => `http://127.0.0.1:${servicePort}`, write),
    };
    const progress = { ended: 0 };
    const nemesis = runNemesis({ platform, service, workers, chance, kills, jobs, leaseSeconds, progress, log });
    const ids = await runJobs({ holders, chance, jobs, progress });
    const hits = await nemesis;
    // One more kill, so that the following answers come from the disk.
    for (const victim of [platform, service]) {
      victim.kill();
      await victim.ready();
    }
    for (const { id, holder } of ids) await holders[holder].look(id);
    for (const { id, holder } of ids) if (holder === "platform") write(await readEvents(platformUrl, id));
    // Each start of the platform spares the attempts that were under way: nobody could renew their leases. One is at
    // the end.
    const spared = (hits.kills["platform"] ?? 0) + 1;
    return { ...hits, ...summary(history), breaches: checkHistory(history, maxAttempts + spared), history };
  } finally {
    await Promise.all(victims.map((victim) => victim.stop()));
    await proxy.close();
  }
}

interface SweptJob {
  readonly id: string;
  readonly holder: "platform" | "service";
}

async function runJobs(options: {
  readonly holders: Readonly<Record<SweptJob["holder"], JobHolder>>;
  readonly chance: Chance;
  readonly jobs: number;
  readonly progress: { ended: number };
}): Promise<readonly SweptJob[]> {
  const { holders, chance, jobs, progress } = options;
  const swept: SweptJob[] = [];
  const work = async (): Promise<void> => {
    while (swept.length < jobs) {
      const holder = chance.happens(serviceShare) ? "service" : "platform";
      const id = newJobUrn();
      swept.push({ id, holder });
      const request: ChaosRequest = {
        text: `job ${swept.length}`,
        milliseconds: chance.below(60),
        events: chance.below(5),
        ...(chance.happens(0.004) && { poison: true }),
      };
      await runJob(holders[holder], id, request, chance);
      progress.ended++;
    }
  };
  await Promise.all(Array.from({ length: underWay }, work));
  return swept;
}

/** A job from the caller's side: submitted, possibly again, possibly cancelled, and polled until it has ended. */
async function runJob(holder: JobHolder, id: string, request: ChaosRequest, chance: Chance): Promise<void> {
  const [again, cancel, same] = [chance.happens(0.05), chance.happens(0.03), chance.happens(0.5)];
  await holder.submit(id, request);
  if (again) await holder.submitAgain(id, request, same);
  if (cancel) await holder.cancel(id);
  while (["pending", "executing"].includes((await holder.look(id)).status)) await sleep(20);
}

async function runNemesis(options: {
  readonly platform: Victim;
  readonly service: Victim;
  readonly workers: readonly Victim[];
  readonly chance: Chance;
  readonly kills: number;
  readonly jobs: number;
  readonly leaseSeconds: number;
  readonly progress: { readonly ended: number };
  readonly log: (text: string) => void;
}): Promise<Pick<SweepReport, "kills" | "pauses">> {
  const { platform, service, workers, chance, jobs, leaseSeconds, progress, log } = options;
  const hit: Record<string, number> = { worker: 0, service: 0, platform: 0 };
  let pauses = 0;
  for (let kill = 1; kill <= options.kills; kill++) {
    // Kills keep pace with the jobs, so that they hit early and late jobs alike.
    while (progress.ended < Math.min(jobs - underWay, ((kill - 1) / options.kills) * jobs)) await sleep(2);
    await sleep(chance.next() * 30);
    const which = chance.next();
    const worker = workers[chance.below(workers.length)] ?? platform;
    const victim = which < platformShare ? platform : which < platformShare + serviceShare ? service : worker;
    await victim.ready();
    if (chance.happens(pauseShare)) {
      workers[chance.below(workers.length)]?.pause(leaseSeconds * 2500);
      pauses++;
    }
    if (victim.kill()) hit[victim.name] = (hit[victim.name] ?? 0) + 1;
    if (kill % logEvery === 0) log(`${kill} kills, ${progress.ended} jobs have ended`);
  }
  return { kills: hit, pauses };
}
