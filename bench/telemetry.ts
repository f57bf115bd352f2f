/**
 * What telemetry costs: processor time per request of a service with and without an OTLP endpoint, asked 5,000 times a
 * second, and how long 99 of 100 answers take. Also with collectors that fail, where spans are dropped and no job
 * waits: one that never answers, one that takes ten seconds, one that is busy, and none at all. Collectors have
 * processes of their own. `node bench/telemetry.ts [--quick] [--json FILE]`.
 */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { buildService } from "./lib/build-service.ts";
import { atMost, type Figure } from "./lib/figure.ts";
import { httpRequest } from "./lib/http-load.ts";
import { interleave, type Samples } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { pinLoad, startServerProcess, type ServerProcess } from "./lib/server-process.ts";

const script = benchScript();
/** Requests a second: near the limit of one core with telemetry. */
const rate = 5000;
/** Requests of a turn: short, so that other load on the machine affects all alike. */
const turn = 2500;
/** Share of a turn that goes before it and does not count: a process that has waited for its turn has cold caches. */
const before = 0.25;
const rounds = script.quick ? 2 : 30;
const request = httpRequest(
  "/tool/isPrimeLater",
  JSON.stringify({ number: 997, note: "x".repeat(280), tags: ["a", "b"] }),
);
const toFastify = httpRequest("/tool", JSON.stringify({ number: 997, note: "x".repeat(280), tags: ["a", "b"] }));
const expected = '"isPrime":true';
// Before the collectors start, which inherit it: the service has a core of its own.
pinLoad();
const collectors: ChildProcess[] = [];
const bundle = buildService(2);
const off = await startService({});
const again = await startService({});
const on = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector() });
const hanging = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector("hanging") });
const slow = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector("slow") });
const busy = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector("busy") });
// Nothing listens at port 9.
const down = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
const fastify = await startServerProcess(join(import.meta.dirname, "servers/fastify.ts"));
const fastifyOn = await startServerProcess(join(import.meta.dirname, "servers/fastify-telemetry.mjs"), [], {
  OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector(),
});
const contenders = [
  { name: "without telemetry", process: off },
  { name: "without telemetry, another process", process: again },
  { name: "with telemetry", process: on },
  { name: "with a collector that never answers", process: hanging },
  { name: "with a collector that takes 10 s", process: slow },
  { name: "with a collector that is busy (503)", process: busy },
  { name: "with a collector that is down", process: down },
  { name: "Fastify", process: fastify, request: toFastify },
  { name: "Fastify with its official instrumentation", process: fastifyOn, request: toFastify },
] as const;

for (const { process, ...own } of contenders)
  await process.measure("request" in own ? own.request : request, script.quick ? 3000 : 20_000, expected);
const steady = await measureAt(rounds);
for (const { process } of contenders) process.stop();
for (const collector of collectors) collector.kill();

const failing = contenders.map(({ name }) => name).filter((name) => name.startsWith("with a collector"));
const more = (contender: string): number => (steady.ratio("cpu", contender, "without telemetry") - 1) * 100;
script.finish([
  {
    id: "telemetry-cpu",
    name: "POST of a tool, 5,000 a second, processor time of the service",
    unit: "µs/request",
    better: "lower",
    rows: steady.rows("cpu"),
    goals: [
      atMost(
        (steady.ratio("cpu", "Fastify with its official instrumentation", "Fastify") - 1) * 100,
        "processor time more with telemetry, as Fastify with its own",
        more("with telemetry"),
        "%",
      ),
    ],
  },
  p99Of(steady),
]);

type Taken = Samples<"cpu" | "p99">;

/** Asks all contenders so many times a second, in turns. */
function measureAt(count: number): Promise<Taken> {
  return interleave(
    contenders.map(({ name, process, ...own }) => ({
      name,
      sample: costOfTurns(process, "request" in own ? own.request : request),
    })),
    {
      rounds: count,
      warmups: 2,
      onRound: (round) => round % 10 === 0 && script.progress(`telemetry: ${rate} a second, round ${round}`),
    },
  );
}

function p99Of(taken: Taken): Figure {
  return {
    id: "telemetry-p99",
    name: `POST of a tool, ${rate.toLocaleString("en")} a second, 99 of 100 answers`,
    unit: "ms",
    better: "lower",
    rows: taken.rows("p99"),
    goals: failing.map((contender) =>
      // The cost of telemetry itself is compared with Fastify's: see the figure of processor time.
      atMost(
        1,
        `${contender}, more than with one that answers`,
        taken.difference("p99", contender, "with telemetry"),
        "ms",
      ),
    ),
  };
}

/**
 * Cost of a turn, from its begin to the begin of the next: data sent after the requests belongs to it. So each sample
 * is that of the previous turn.
 */
function costOfTurns(
  process: ServerProcess,
  asked: Buffer,
): () => Promise<{ readonly cpu: number; readonly p99: number }> {
  const count = turn;
  let last = Number.NaN;
  return async () => {
    const now = await process.cpu();
    const cpu = (now - last) / (count * (1 + before));
    last = now;
    await process.measure(asked, count * before, expected, { rate });
    const { p99 } = await process.measure(asked, count, expected, { rate });
    return { cpu, p99 };
  };
}

function startService(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  return startServerProcess(bundle, ["--host", "127.0.0.1", "--port", "0"], env);
}

async function startCollector(...words: readonly string[]): Promise<string> {
  const collector = fork(join(import.meta.dirname, "servers/otlp-sink.ts"), [...words]);
  collectors.push(collector);
  const { port } = await new Promise<{ readonly port: number }>((resolve, reject) => {
    collector.once("message", (message) => resolve(message as { readonly port: number }));
    collector.once("exit", (code) => reject(new Error(`The collector ended with exit code ${code}.`)));
  });
  return `http://127.0.0.1:${port}`;
}
