import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresPair } from "../../support/postgres-pair.ts";
import type { PostgresServer } from "../../support/postgres-server.ts";
import type { Chance } from "../chance.ts";
import type { SweepReport } from "../summary.ts";
import type { Victim } from "../victim.ts";

/** Milliseconds: longer than a lease. */
const pause = 20_000;
const pauseShare = 0.02;
/** Milliseconds for which the server is down: for a moment, or longer than statements are repeated. */
const outages = [200, 1000, 3000, 14_000];
const logEvery = 20;

interface NemesisOptions {
  readonly jobs: number;
  readonly kills: number;
  readonly serverKills: number;
  readonly server: Pick<PostgresServer, "kill" | "start">;
  /** The same server, when it has a standby. */
  readonly pair: PostgresPair | undefined;
  readonly replicas: readonly Victim[];
  readonly chance: Chance;
  readonly progress: { readonly ended: number; killed: number; readonly isOver: () => boolean };
  /** Number of ended jobs behind which kills need not wait for more of them. */
  readonly last: number;
  readonly log: (text: string) => void;
}

/** Kills replicas and their server while jobs run, and pauses replicas. */
export async function runNemesis(options: NemesisOptions): Promise<Pick<SweepReport, "kills" | "pauses">> {
  const { pair, replicas, chance, progress, jobs, kills, serverKills, last, log } = options;
  const hit = { replica: 0, server: 0, ...(pair !== undefined && { failover: 0, standby: 0 }) };
  let [pauses, outage] = [0, 0];
  for (let kill = 1; kill <= kills && !progress.isOver(); kill++) {
    // Kills keep pace with the jobs, so that they hit early and late jobs alike.
    while (progress.ended < Math.min(last, ((kill - 1) / kills) * jobs) && !progress.isOver()) await sleep(2);
    await sleep(chance.next() * 30);
    const victim = replicas[chance.below(replicas.length)];
    if (victim === undefined) break;
    if (chance.happens(pauseShare)) {
      replicas[chance.below(replicas.length)]?.pause(pause);
      pauses++;
    }
    await Promise.race([victim.ready(), sleep(10_000)]);
    if (victim.kill()) hit.replica++;
    if (outage < Math.floor((kill / kills) * serverKills)) {
      const kind = await hitServer(options, outage);
      hit[kind] = (hit[kind] ?? 0) + 1;
      outage++;
    }
    progress.killed = kill;
    if (kill % logEvery === 0) {
      const list = Object.entries(hit).map(([name, count]) => `${count} ${name}`);
      log(`${kill} kills (${list.join(", ")}), ${progress.ended} jobs have ended`);
    }
  }
  return { kills: hit, pauses };
}

/** Every second outage of a pair is a failover, and every fourth one of the standby. Returns the kind. */
async function hitServer(
  { server, pair, chance }: NemesisOptions,
  number: number,
): Promise<"server" | "failover" | "standby"> {
  const duration = outages[chance.below(outages.length)] ?? 0;
  if (pair !== undefined && number % 2 === 0) {
    await pair.failOver(chance.happens(0.5));
    return "failover";
  }
  if (pair !== undefined && number % 4 === 1) {
    await pair.dropStandby(duration);
    return "standby";
  }
  await server.kill();
  await sleep(duration);
  await server.start();
  return "server";
}
