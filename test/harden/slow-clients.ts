import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { against, type Attack, type AttackContext, type Contender } from "./attack.ts";
import { caged, container } from "./cage.ts";
import { canary, damage } from "./canary.ts";
import type { Target, TargetOptions } from "./target.ts";
import { emptyTally, framed, sendAll } from "./wire.ts";

/** Milliseconds after which a legal call counts as not answered, on a busy machine as well. */
const patience = 60_000;

interface Held {
  /** Megabytes more than before, at the most. */
  readonly most: number;
  /** Megabytes of the whole process, at the most. */
  readonly total: number;
  /** The same at the end of the watch, while the attackers are still there. */
  readonly last: number;
  /** The same when all of the attackers are gone. */
  readonly kept: number;
  /** Milliseconds of the slowest legal call in between; undefined when one was not answered. */
  readonly slowest: number | undefined;
  /** Connections that the server has closed by itself. */
  readonly closed: number;
  readonly harm: readonly string[];
}

function told({ most, last, kept, slowest, closed, harm }: Held, sockets: number): string {
  const others = slowest === undefined ? "others NOT answered" : `others answered within ${slowest.toFixed(0)} ms`;
  return [
    `+${most.toFixed(0)} MB at most, +${last.toFixed(0)} MB at the end, +${kept.toFixed(0)} MB after`,
    others,
    `${closed} of ${sockets} closed`,
    ...harm,
  ].join(", ");
}

/** Opens connections, lets each of them attack, and watches the server meanwhile. */
async function hold(
  contender: Contender,
  sockets: number,
  seconds: number,
  attack: (socket: Socket) => Promise<void> | void,
  prepare?: (target: Target) => Promise<void>,
  options: TargetOptions = {},
): Promise<Held> {
  return against(contender, options, async (target: Target) => {
    await prepare?.(target);
    for (let warm = 0; warm < 20; warm++) await canary(contender, target);
    const before = (await target.memory()) ?? 0;
    let closed = 0;
    const open = Array.from({ length: sockets }, () => {
      const socket = connect(target.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.once("close", () => closed++);
      return socket;
    });
    const progress = { isDone: false };
    void Promise.all(open.map((socket) => attack(socket))).then(() => (progress.isDone = true));
    let [most, slowest]: [number, number | undefined] = [0, 0];
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end || !progress.isDone) {
      const taken = await canary(contender, target, patience);
      slowest = taken === undefined || slowest === undefined ? undefined : Math.max(slowest, taken);
      most = Math.max(most, ((await target.memory()) ?? before) - before);
      if (target.ended !== undefined || performance.now() > end + 120_000) break;
      await sleep(200);
    }
    const last = ((await target.memory()) ?? before) - before;
    // A socket that reads nothing does not see its end. A byte tells.
    for (const socket of open) socket.resume().write(" ");
    await sleep(1000);
    const ofServer = closed;
    for (const socket of open) socket.destroy();
    await sleep(500);
    for (let settle = 0; settle < sockets * 2; settle++) await canary(contender, target);
    const kept = ((await target.memory()) ?? before) - before;
    return { most, total: before + most, last, kept, slowest, closed: ofServer, harm: await damage(contender, target) };
  });
}

/** Writes as fast as the other side takes it. */
async function pour(socket: Socket, bytes: Buffer, times: number): Promise<void> {
  for (let turn = 0; turn < times && !socket.destroyed; turn++) {
    if (socket.write(bytes)) continue;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        socket.off("drain", go);
        socket.off("close", go);
        resolve();
      };
      socket.on("drain", go);
      socket.on("close", go);
    });
  }
}

function chunkedHead({ rest, mcp = "/" }: Contender): string {
  return `POST ${rest ?? mcp} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n`;
}

async function withPeers(
  { tenon, peers }: AttackContext,
  run: (contender: Contender) => Promise<Held>,
): Promise<readonly [Held, readonly (readonly [string, Held])[]]> {
  const ours = await run(tenon);
  const theirs: (readonly [string, Held])[] = [];
  for (const peer of peers) theirs.push([peer.name, await run(peer)]);
  return [ours, theirs];
}

/** The body limit, once for the attack and once for what a process takes by itself while it is busy. */
const memoryGoal = 100;

/** Bodies that come in chunks of one byte and do not end. */
export const attackWithChunks: Attack = async (context) => {
  const sockets = 14;
  // A peer that keeps an object for each of them would take the machine's memory.
  const chunksFor = ({ name }: Contender): number =>
    name === context.tenon.name ? context.size.chunks : Math.min(context.size.chunks, 100_000);
  const block = Buffer.from("1\r\n \r\n".repeat(1000));
  const [ours, theirs] = await withPeers(context, (contender) =>
    hold(contender, sockets, 1, (socket) => {
      socket.write(chunkedHead(contender));
      return pour(socket, block, Math.ceil(chunksFor(contender) / 1000));
    }),
  );
  return {
    attack: "Bodies in chunks of one byte that never end",
    inputs: `${sockets} connections, ${context.size.chunks.toLocaleString("en")} chunks each, peers at most 100,000`,
    result: told(ours, sockets),
    peers: theirs.map(([name, held]) => `${name}: ${told(held, sockets)}`),
    breaches: breachesOf(ours, memoryGoal),
  };
};

/** Twice the budget of answers that wait. */
const readersGoal = 256;

/** Fills the memory for results that can be asked for again, by calls with keys. */
async function fillKept({ port }: Target, calls: number): Promise<void> {
  const call = (at: number): Buffer =>
    framed("/tool/large", '{"bytes":5000000}', { "Idempotency-Key": `kept-result-${at}` });
  await sendAll(
    port,
    Array.from({ length: calls }, (_, at) => call(at)),
    emptyTally(),
    { connections: 1, depth: 1 },
  );
}

/** Callers that ask for large answers and read none of them, or next to nothing. */
export const attackWithReaders: Attack = async (context) => {
  const { sockets, seconds } = context.size;
  const request = framed("/tool/large", '{"bytes":5000000}');
  let index = 0;
  const attack = (socket: Socket): void => {
    socket.pause();
    socket.write(request);
    if (index++ % 2 === 0) return;
    const timer = setInterval(() => void socket.read(1), 1000);
    socket.once("close", () => clearInterval(timer));
  };
  const kept = Math.ceil(sockets / 7);
  const [ours, group] = await caged(async (options, cage) => {
    const held = await hold(context.tenon, sockets, seconds, attack, (target) => fillKept(target, kept), options);
    return [held, cage?.most()] as const;
  });
  const inGroup = group === undefined ? "" : `, ${group.toFixed(0)} MB with what the system counts`;
  return {
    attack: "Callers of 5 MB answers that read nothing, or a byte each second, default settings, 512 MiB",
    inputs: `${sockets} connections, ${seconds} s, after ${kept} such results are kept`,
    result: `${ours.total.toFixed(0)} MB in all${inGroup}, ${told(ours, sockets)}`,
    peers: [],
    breaches: [
      ...breachesOf(ours, Math.min(12 * sockets, readersGoal)),
      ...(ours.total > container ? [`${ours.total.toFixed(0)} MB in all, more than ${container} MB`] : []),
    ],
  };
};

/** Connections that send a byte of a head now and then, or nothing at all. */
export const attackWithSilence: Attack = async (context) => {
  const { sockets, seconds } = context.size;
  const run = (contender: Contender): Promise<Held> => {
    let index = 0;
    return hold(contender, sockets, seconds, (socket) => {
      if (index++ % 2 === 0) return;
      const head = chunkedHead(contender);
      let at = 0;
      const timer = setInterval(() => socket.write(head[at++ % head.length] ?? "x"), 1000);
      socket.once("close", () => clearInterval(timer));
    });
  };
  // Side by side: they only wait, each in a process of its own.
  const [ours, ...theirs] = await Promise.all([context.tenon, ...context.peers].map(run));
  if (ours === undefined) throw new Error("There is nothing to attack.");
  return {
    attack: "Connections that send nothing, or a byte of a head each second",
    inputs: `${sockets} connections, ${seconds} s`,
    result: told(ours, sockets),
    peers: theirs.map((held, at) => `${context.peers[at]?.name}: ${told(held, sockets)}`),
    breaches: breachesOf(ours, memoryGoal),
  };
};

function breachesOf({ most, slowest, harm }: Held, megabytes: number): readonly string[] {
  return [
    ...harm,
    ...(most > megabytes ? [`${most.toFixed(0)} MB were held, more than ${megabytes} MB`] : []),
    ...(slowest === undefined ? ["others were not answered"] : []),
  ];
}
