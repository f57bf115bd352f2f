import type { Chance } from "../chaos/chance.ts";
import type { Target, TargetOptions } from "./target.ts";

/** A server that an attack is run against: tenon, or a peer beside it. */
export interface Contender {
  readonly name: string;
  /** Path of the tool over REST; undefined where there is none. */
  readonly rest?: string;
  /** Path of the MCP endpoint; undefined where there is none. */
  readonly mcp?: string;
  start(options?: TargetOptions): Promise<Target>;
}

/** Amounts to send. */
export interface Size {
  /** Random requests to tenon; peers get a twentieth. */
  readonly requests: number;
  /** Milliseconds within which each of them must be answered, with up to 128 under way. */
  readonly answerWithin: number;
  /** Chunks of one byte on each connection that never ends its body. */
  readonly chunks: number;
  /** Connections that read or write slowly. */
  readonly sockets: number;
  /** Seconds for which slow connections are watched. */
  readonly seconds: number;
  /** Minutes of mixed load. */
  readonly minutes: number;
  /** Jobs of the kill sweep, and kills. */
  readonly jobs: number;
  readonly kills: number;
  /** Bytes of JSON of one type, and the milliseconds of processor time that a megabyte of it may cost. */
  readonly bytes: number;
  readonly milliseconds: number;
}

export interface AttackContext {
  readonly tenon: Contender;
  readonly peers: readonly Contender[];
  readonly size: Size;
  /** A new sequence of the same seed. */
  chance(): Chance;
  readonly seed: number;
  /** An empty folder of this attack. */
  folder(name: string): string;
  log(text: string): void;
}

/** A row of the table. */
export interface Finding {
  readonly attack: string;
  /** The inputs, with their count. */
  readonly inputs: string;
  /** tenon's result, in figures. */
  readonly result: string;
  /** The result of a peer that got the same. */
  readonly peers: readonly string[];
  /** Failures: events that must not happen, and did. */
  readonly breaches: readonly string[];
  /** A table of its own, below the others. */
  readonly details?: string;
}

export type Attack = (context: AttackContext) => Promise<Finding>;

/** Runs something against a new process of a contender; the process is gone afterwards. */
export async function against<Result>(
  contender: Contender,
  options: TargetOptions,
  run: (target: Target) => Promise<Result>,
): Promise<Result> {
  const target = await contender.start(options);
  try {
    return await run(target);
  } finally {
    await target.stop();
  }
}
