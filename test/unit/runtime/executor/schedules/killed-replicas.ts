import type { ScheduleDefinition } from "../../../../../runtime/contract/contract.ts";
import { nextFirings } from "../../../../../runtime/contract/firing-times.ts";
import { createSchedules } from "../../../../../runtime/executor/schedules/schedules.ts";
import type { Timetable } from "../../../../../runtime/executor/store/timetable.ts";
import type { JobStore } from "../../../../../runtime/executor/store/job-store.ts";
import type { ListsJobs } from "../../../../../runtime/executor/store/listed-jobs.ts";
import type { ScheduleTable } from "../../../../../runtime/executor/store/schedule-table.ts";
import { firingUrn } from "../../../../../runtime/job/firing-id.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

export type ListingStore = JobStore & Pick<ListsJobs, "list"> & { readonly schedules?: ScheduleTable };

/** Replicas that are killed between two calls of their store, or before they hear its answer. */
export interface KilledReplicas {
  readonly open: (now: () => number) => Promise<ListingStore>;
  /** Number of replicas that run side by side. */
  readonly replicas: number;
  readonly turns: number;
  /** Decides about kills; replicas that run side by side ask in any order. */
  readonly random: () => number;
  /** Decides how the clock moves, the same in every run. */
  readonly moves: () => number;
}

/** Most calls of a replica in a turn: enough to make up for a jump alone, although it is killed now and then. */
const looksOfTurn = 100;

class Killed extends Error {}

const schedule: ScheduleDefinition = {
  cron: "*/30 * * * *",
  zone: "Europe/Zurich",
  missed: "all",
  overlap: "allow",
};
/** Milliseconds of one move of the clock: far fewer firings than the hundred that are made up for. */
const step = 99 * 60_000;
/** The clock of a machine is set anew by a day, forwards or backwards: 48 firings, which are made up for in a turn. */
const jump = 86_400_000;
/** The turns in which the clock always jumps. In long runs it also jumps at random. */
const jumps: ReadonlyMap<number, number> = new Map([
  [2, jump],
  [5, -jump],
  [7, -jump],
  [9, jump],
]);

/** Ids of jobs that were fired twice, not at all, or at no time of the schedule. */
export interface FiringAudit {
  readonly kills: number;
  readonly firings: number;
  readonly twice: readonly string[];
  readonly lost: readonly string[];
  readonly unknown: readonly string[];
}

/** Moves the clock and kills replicas, and then holds the jobs of the store against the times of the schedule. */
export async function runKilledReplicas(options: KilledReplicas): Promise<FiringAudit> {
  const { replicas, turns, random, moves } = options;
  const begin = Date.UTC(2026, 9, 24, 12, 0, 1);
  let now = begin;
  let latest = now;
  let kills = 0;
  const created: string[] = [];
  const tool = fakeTool(() => 1, { request: null, definition: { schedules: [schedule] } });
  const start = async (): Promise<Timetable & { readonly store: ListingStore }> => {
    const store = await options.open(() => now);
    const mortal = (): void => {
      if (random() > 0.08) return;
      kills++;
      throw new Killed();
    };
    /** Dies before the call, behind it, or not at all. */
    const risk = async <T>(call: () => T | Promise<T>): Promise<T> => {
      mortal();
      const answer = await call();
      mortal();
      return answer;
    };
    const { schedules: table } = store;
    if (table === undefined) throw new Error("the store has no schedules");
    const risky: ScheduleTable = {
      plan: (...given) => risk(() => table.plan(...given)),
      read: (...given) => risk(() => table.read(...given)),
      move: (...given) => risk(() => table.move(...given)),
      paid: (...given) => risk(() => table.paid(...given)),
      pause: (...given) => risk(() => table.pause(...given)),
    };
    const submit: JobStore["submit"] = async (job) => {
      const answer = await risk(async () => {
        const given = await store.submit(job);
        if (given.kind === "created") created.push(job.id);
        return given;
      });
      return answer;
    };
    const executor = {
      store: { schedules: risky, submit, get: store.get.bind(store) } as unknown as JobStore,
      cancel: async () => undefined,
      resume: async () => {},
      draining: false,
    };
    return { ...createSchedules({ executor, tools: [tool], service: "s" }), store };
  };
  const survive = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Killed) return false;
      throw error;
    }
  };
  const reborn = async (old?: { readonly store: ListingStore }): Promise<Awaited<ReturnType<typeof start>>> => {
    await old?.store.close();
    for (;;) {
      const replica = await start();
      if (await survive(() => replica.plan())) return replica;
      await replica.store.close();
    }
  };
  const running = [];
  for (let index = 0; index < replicas; index++) running.push(await reborn());
  for (let turn = 0; turn < turns; turn++) {
    const chance = moves();
    now += jumps.get(turn) ?? (chance < 0.03 ? jump : chance > 0.97 ? -jump : Math.floor(moves() * step));
    latest = Math.max(latest, now);
    await Promise.all(
      running.map(async (replica, index) => {
        let own = replica;
        for (let looks = 0; looks < looksOfTurn; looks++) {
          let wait = 0;
          if (!(await survive(async () => (wait = await own.look())))) own = await reborn(own);
          if (wait > 0) break;
        }
        running[index] = own;
      }),
    );
  }
  now = latest;
  // In the end one replica lives long enough to do what is left.
  const [last = await reborn(), ...others] = running;
  for (const other of others) await other.store.close();
  let survivor = last;
  for (let quiet = 0; quiet < 3;) {
    let wait = 0;
    if (await survive(async () => (wait = await survivor.look()))) quiet = wait > 0 ? quiet + 1 : 0;
    else survivor = await reborn(survivor);
  }
  const { jobs } = await survivor.store.list(Number.MAX_SAFE_INTEGER, 100_000);
  await survivor.store.close();
  const stored = new Set(jobs.map(({ id }) => id));
  const due = nextFirings(schedule, begin, Math.ceil((now - begin) / 1_800_000) + 1)
    .filter((at) => at <= now)
    .map((at) => firingUrn(tool.name, 1, at));
  return {
    kills,
    firings: due.length,
    twice: created.filter((id, index) => created.indexOf(id) !== index),
    lost: due.filter((id) => !stored.has(id)),
    unknown: [...stored].filter((id) => !due.includes(id)),
  };
}
