import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../chaos/chance.ts";
import { against, type Attack } from "./attack.ts";
import { caged } from "./cage.ts";
import { damage } from "./canary.ts";
import { loadCallers, sender } from "./load-callers.ts";
import type { Target } from "./target.ts";

/** Minutes in which what is kept, sessions and caches reach their limits. */
const warm = 10;
/** Megabytes that the later minutes may be above the first ones behind `warm`. */
const flat = 32;
/** Milliseconds between two turns of the callers. */
const tick = 50;
/** Callers at the same time: more of them would only wait where the machine is busy. */
const mostCallers = 500;
/** Milliseconds for the callers that are there at the end. */
const patience = 120_000;

/** Ordinary and hostile callers together, at the default settings, in the memory of a container. */
export const attackWithLoad: Attack = ({ tenon, size, chance, log }) =>
  caged(async (options, cage) => {
    return against(tenon, options, async (target) => {
      const crowd = bringCallers(target, chance(), log);
      const highest = await watch(target, size.minutes, (line) => {
        log(`  ${line}${cage === undefined ? "" : `, group ${cage.most().toFixed(0)} MB at most`}, ${crowd.told()}`);
      });
      await crowd.stop();
      const harm = await damage(tenon, target);
      const later = highest.slice(warm);
      const grown = later.length > 10 ? Math.max(...later.slice(5)) - Math.max(...later.slice(0, 5)) : undefined;
      return {
        attack: "Mixed load with sessions of older MCP clients, default settings, 512 MiB",
        inputs: `${size.minutes} minutes, ${crowd.requests().toLocaleString("en")} requests`,
        result: [
          `${Math.max(...highest).toFixed(0)} MB at most`,
          ...(cage === undefined ? [] : [`${cage.most().toFixed(0)} MB with what the system counts`]),
          ...(grown === undefined ? [] : [`${grown > 0 ? "+" : ""}${grown.toFixed(0)} MB from minute ${warm + 5} on`]),
          `${crowd.failed.length} × 5xx`,
          `${crowd.unanswered.length} without an answer`,
          ...harm,
        ].join(", "),
        peers: [],
        breaches: [
          ...harm,
          ...crowd.failed.slice(0, 10),
          ...crowd.unanswered.slice(0, 10),
          ...(grown !== undefined && grown > flat ? [`memory grew by ${grown.toFixed(0)} MB after it was flat`] : []),
        ],
      };
    });
  });

interface Crowd {
  readonly failed: readonly string[];
  readonly unanswered: readonly string[];
  requests(): number;
  told(): string;
  stop(): Promise<void>;
}

/** Lets all callers come at their rates, until it is stopped. */
function bringCallers(target: Target, chance: Chance, log: (text: string) => void): Crowd {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const statuses = new Map<number, number>();
  const [failed, unanswered]: [string[], string[]] = [[], []];
  const send = sender(target.port, agent, (status, what) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500) failed.push(`${status} ${what}`);
  });
  const tally = { open: 0, left: 0, isOver: false };
  const admit = (call: (typeof loadCallers)[number]["call"]): void => {
    if (tally.open >= mostCallers) {
      tally.left++;
      return;
    }
    tally.open++;
    call(send, chance)
      .catch((error: unknown) => {
        unanswered.push(String(error));
        if (unanswered.length <= 20) log(`  ${String(error)}`);
      })
      .finally(() => tally.open--);
  };
  const came = loadCallers.map(() => 0);
  const began = performance.now();
  const bring = async (): Promise<void> => {
    while (!tally.isOver && target.ended === undefined) {
      const seconds = (performance.now() - began) / 1000;
      for (const [index, { rate, call }] of loadCallers.entries()) {
        for (; (came[index] ?? 0) < rate * seconds; came[index] = (came[index] ?? 0) + 1) admit(call);
      }
      await sleep(tick);
    }
  };
  const callers = bring();
  return {
    failed,
    unanswered,
    requests: () => [...statuses.values()].reduce((sum, count) => sum + count, 0),
    told() {
      const all = [...statuses].toSorted().map(([status, count]) => `${count} × ${status}`);
      return `${all.join(", ")}, ${unanswered.length} without an answer, ${tally.open} under way, ${tally.left} not sent`;
    },
    async stop() {
      tally.isOver = true;
      await callers;
      for (const until = performance.now() + patience; tally.open > 0 && performance.now() < until;) await sleep(20);
      agent.destroy();
    },
  };
}

/** Asks for the memory every second. Resolves to the highest of each minute, in megabytes. */
async function watch(target: Target, minutes: number, tell: (line: string) => void): Promise<readonly number[]> {
  const began = performance.now();
  const highest: number[] = [];
  for (let minute = 1; minute <= Math.ceil(minutes) && target.ended === undefined; minute++) {
    const end = began + Math.min(minute, minutes) * 60_000;
    let [memory, heap, limit] = [0, Number.POSITIVE_INFINITY, 0];
    do {
      const usage = await target.usage();
      if (usage !== undefined) {
        memory = Math.max(memory, usage.memory);
        // The least of a minute is what a collection leaves.
        heap = Math.min(heap, usage.heap);
        limit = usage.mostHeap;
      }
      await sleep(Math.min(1000, Math.max(1, end - performance.now())));
    } while (performance.now() < end && target.ended === undefined);
    highest.push(memory);
    tell(`minute ${minute}: ${memory.toFixed(0)} MB, heap ${heap.toFixed(0)} of ${limit.toFixed(0)} MB`);
  }
  return highest;
}
