import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { against, type Attack } from "./attack.ts";
import { damage } from "./canary.ts";
import type { Target } from "./target.ts";
import { ask, framed } from "./wire.ts";

/** Events that the job reports before its readers come, and again behind them. */
const events = 3000;
/** Milliseconds of processor time in which nobody else has a turn, at most. */
const turnGoal = 250;
/** Megabytes that the readers may cost, for each of them and once. */
const memoryGoal = (readers: number): number => 60 + readers * 0.15;
/** Milliseconds after which readers count as not served. */
const patience = 120_000;

/** Asks for the health of a service without a pause, beside the readers, which keep this thread busy. */
const proberText = `
const { parentPort, workerData } = require("node:worker_threads");
const { connect } = require("node:net");
let slowest = 0;
let over = false;
parentPort.on("message", () => (over = true));
const probe = () => new Promise((resolve) => {
  const start = performance.now();
  const socket = connect(workerData, "127.0.0.1", () => socket.write("GET /healthz HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n"));
  socket.on("data", () => { slowest = Math.max(slowest, performance.now() - start); });
  socket.on("error", () => { slowest = Infinity; });
  socket.on("close", () => setTimeout(resolve, 20));
});
(async () => {
  while (!over) await probe();
  parentPort.postMessage(slowest);
})();`;

/** Milliseconds of the slowest probe while something runs. */
async function slowestProbe(port: number, run: () => Promise<void>): Promise<number> {
  const prober = new Worker(proberText, { eval: true, workerData: port });
  try {
    await new Promise((resolve) => prober.once("online", resolve));
    await run();
    const answer = new Promise<number>((resolve) => prober.once("message", resolve));
    prober.postMessage("over");
    return await answer;
  } finally {
    await prober.terminate();
  }
}

interface Readers {
  /** Resolves when each of them has read the event of this number, or as many as ended without it. */
  reach(number: number): Promise<void>;
  /** Readers that were cut before their last event. */
  readonly cut: number;
  stop(): void;
}

/** Reads the events of a job on many connections. Only the last event that came is looked at. */
function read(port: number, id: string, count: number): Readers {
  let cut = 0;
  const last = Array.from({ length: count }, () => 0);
  const waiting: { readonly number: number; readonly tell: () => void }[] = [];
  const look = (): void => {
    for (const { number, tell } of waiting) if (last.every((one) => one >= number)) tell();
  };
  const sockets = last.map((_, index) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /jobs/${id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    let end = "";
    socket.on("data", (chunk) => {
      // An id can be cut in two by a chunk's border.
      const text = end + chunk.toString("latin1");
      const at = text.lastIndexOf("id: ");
      end = text.slice(-20);
      const number = Number(text.slice(at + 4, at + 12));
      if (at >= 0 && Number.isInteger(number)) last[index] = Math.max(last[index] ?? 0, number);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if ((last[index] ?? 0) < events * 2) cut++;
      last[index] = Number.POSITIVE_INFINITY;
    });
    return socket;
  });
  return {
    reach: (number) =>
      new Promise((resolve) => {
        const stop = (): void => {
          clearInterval(timer);
          clearTimeout(late);
          resolve();
        };
        waiting.push({ number, tell: stop });
        const timer = setInterval(look, 20);
        const late = setTimeout(stop, patience);
      }),
    get cut() {
      return cut;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Many readers of the events of one job: those it has kept, then those it reports while they watch. */
export const attackWithWatchers: Attack = async ({ tenon, size }) => {
  const count = size.sockets * 5;
  const job = "watched-by-many";
  return against(tenon, {}, async (target: Target) => {
    const { port } = target;
    const headers = { "job-id": job, Prefer: "wait=0" };
    await ask(port, framed("/tool/watched", JSON.stringify({ events }), headers));
    const before = (await target.memory()) ?? 0;
    let readers: Readers | undefined;
    const [attached, attachedProbe] = await watchedBy(target, async () => {
      readers = read(port, job, count);
      await readers.reach(events);
    });
    const memory = ((await target.memory()) ?? before) - before;
    const [live, liveProbe] = await watchedBy(target, async () => {
      await ask(port, framed("/tool/goOn", "{}"));
      await readers?.reach(events * 2);
    });
    const most = Math.max(memory, ((await target.memory()) ?? before) - before);
    const cut = readers?.cut ?? count;
    readers?.stop();
    const harm = await damage(tenon, target);
    const longest = Math.max(attached, live);
    return {
      attack: "Readers of the events of one job: what it has kept, then what it reports while they read",
      inputs: `${count} readers, ${events} events, then ${events} more`,
      result: [
        `others wait for ${attached.toFixed(0)} ms of processor time while they come, ${live.toFixed(0)} ms while they read`,
        `/healthz within ${attachedProbe.toFixed(0)} and ${liveProbe.toFixed(0)} ms`,
        `+${most.toFixed(0)} MB`,
        `${cut} cut`,
        ...harm,
      ].join(", "),
      peers: [],
      breaches: [
        ...harm,
        ...(cut > 0 ? [`${cut} readers were cut before the last event`] : []),
        ...(longest > turnGoal ? [`others waited for ${longest.toFixed(0)} ms, more than ${turnGoal} ms`] : []),
        ...(most > memoryGoal(count) ? [`${most.toFixed(0)} MB were held`] : []),
      ],
    };
  });
};

/** Milliseconds of processor time of the longest turn while something runs, and of the slowest probe. */
async function watchedBy(target: Target, run: () => Promise<void>): Promise<readonly [number, number]> {
  await target.longest();
  const probe = await slowestProbe(target.port, run);
  return [(await target.longest()) ?? Number.POSITIVE_INFINITY, probe];
}
