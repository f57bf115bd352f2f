import type { Exchange } from "./exchange.ts";
import { UsageError } from "../../base/usage.ts";
import type { GivenJob } from "../jobs/hand-out.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { JobTokens } from "../jobs/job-token.ts";

/** Injected faults. Shares are from 0 to 1. */
export interface Faults {
  /** Share of calls that are lost. For half of them the request is lost; for the other half, only the answer. */
  readonly drop: number;
  /** Share of calls that are repeated, and of jobs that are handed out twice. */
  readonly dup: number;
  /** Maximum delay of a call in milliseconds. */
  readonly delay: number;
  /** Share of a worker's calls at which its lease is lost. */
  readonly killLease: number;
  /** Seed for repeatable choices. */
  readonly seed: number | undefined;
}

const names = "drop=SHARE, dup=SHARE, delay=200ms, kill-lease=SHARE, seed=N";

/** Parses `drop=0.05,dup=0.05,delay=200ms,kill-lease=0.02`. Throws `UsageError`. */
export function parseFaults(text: string): Faults {
  const values = new Map<string, string>();
  for (const part of text.split(",")) {
    const [, name, value] = /^\s*([a-z-]+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined || !["drop", "dup", "delay", "kill-lease", "seed"].includes(name)) {
      throw new UsageError(`--fault does not know ${JSON.stringify(part)}; it takes ${names}`);
    }
    values.set(name, value);
  }
  const share = (name: string): number => {
    const value = values.get(name) ?? "0";
    if (/^(?:0|1|0?\.\d+|1\.0+)$/.test(value)) return Number(value);
    throw new UsageError(
      `--fault ${name} is ${JSON.stringify(value)}; it must be a share from 0 to 1, for example 0.05`,
    );
  };
  const [, number, unit = "ms"] = /^(\d{1,6}(?:\.\d+)?)(ms|s)?$/.exec(values.get("delay") ?? "0") ?? [];
  if (number === undefined) throw new UsageError("--fault delay must be a time, for example 200ms or 1s");
  const seed = values.get("seed");
  if (seed !== undefined && !/^\d{1,9}$/.test(seed)) throw new UsageError("--fault seed must be a whole number");
  return {
    drop: share("drop"),
    dup: share("dup"),
    killLease: share("kill-lease"),
    delay: Number(number) * (unit === "s" ? 1000 : 1),
    seed: seed === undefined ? undefined : Number(seed),
  };
}

/** Jobs that are handed out a second time, to the next worker that polls. */
export interface RepeatedJobs {
  offer(given: GivenJob): void;
  take(service: string): GivenJob | undefined;
}

export interface FaultSwitch extends RepeatedJobs {
  readonly current: Faults;
  /** False while there is no fault to inject; calls are then handled directly. */
  readonly isOn: boolean;
  set(faults: Faults): void;
  /** Handles a call of a worker or a service with injected faults; other calls are unaffected. */
  meet(exchange: Exchange, handle: (exchange: Exchange) => void): Promise<void>;
}

const oftenRepeated: ReadonlySet<string> = new Set(["events", "results", "jobs"]);

/** Faults that change nothing. */
export const noFaults: Faults = { drop: 0, dup: 0, delay: 0, killLease: 0, seed: undefined };

/** Creates the injection of faults. */
export function createFaultSwitch(first: Faults, queue: JobQueue, tokens: JobTokens): FaultSwitch {
  let faults = first;
  let isOn = first !== noFaults;
  const random = first.seed === undefined ? Math.random : seeded(first.seed);
  const repeated = new Map<string, GivenJob[]>();
  const happens = (share: number): boolean => share > 0 && random() < share;
  return {
    get current() {
      return faults;
    },
    get isOn() {
      return isOn;
    },
    set(next) {
      faults = next;
      isOn = next.drop + next.dup + next.delay + next.killLease > 0;
    },
    offer(given) {
      if (happens(faults.dup)) repeated.set(given.service, [...(repeated.get(given.service) ?? []), given]);
    },
    take: (service) => repeated.get(service)?.shift(),
    async meet(exchange, handle) {
      const token = exchange.header("authorization");
      // Calls without a token come from a terminal, so they get no faults.
      if (exchange.service === undefined && token === undefined) return handle(exchange);
      if (faults.delay > 0) await new Promise((resolve) => setTimeout(resolve, random() * faults.delay));
      const held = token === undefined ? undefined : tokens.read(token);
      if (held !== undefined && happens(faults.killLease)) await queue.lose(held, "--fault kill-lease took the lease.");
      if (happens(faults.drop)) {
        if (random() < 0.5) return exchange.cut();
        exchange.fate = "lost";
      }
      if (oftenRepeated.has(exchange.segments[0] ?? "") && exchange.method === "POST" && happens(faults.dup)) {
        handle(exchange.twin());
      }
      return handle(exchange);
    },
  };
}

/** Random numbers from 0 to 1, repeatable by seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
