import { existsSync } from "node:fs";
import { Agent, request } from "node:http";
import { buildFolder } from "../lib/build-service.ts";
import { atLeast, atMost, type Figure } from "../lib/figure.ts";
import { interleave } from "../lib/rounds.ts";
import { startServerProcess, type ServerProcess } from "../lib/server-process.ts";
import { durableProject } from "./durable-service.ts";
import { measure } from "./measure.ts";

const inFlight = 50;
const stepsOfJob = 20;
const aloneSteps = 100;
const dbos = new URL("../servers/dbos.ts", import.meta.url).pathname;
const peer = new URL("../node_modules/@dbos-inc/dbos-sdk", import.meta.url).pathname;

export interface StepSizes {
  readonly url: string;
  readonly rounds: number;
  /** Jobs of a round, of 20 steps each. */
  readonly jobs: number;
  readonly progress: (text: string) => void;
}

/** Whole services, called over HTTP, in databases of one server. */
export async function stepFigures({ url, rounds, jobs, progress }: StepSizes): Promise<readonly Figure[]> {
  const file = buildFolder(durableProject("durable-service", 1, "steps"), "dist/cli/main.js");
  const services = new Map<string, ServerProcess>([
    [
      "tenon",
      await startServerProcess(file, [], { TENON_STORE: `${url}?schema=durable`, HOST: "127.0.0.1", PORT: "0" }),
    ],
  ]);
  if (existsSync(peer)) {
    const address = new URL(url);
    address.pathname = "/bench_dbos";
    services.set("DBOS", await startServerProcess(dbos, [], { BENCH_POSTGRES: address.href }));
  }
  const agent = new Agent({ keepAlive: true });
  const job =
    (port: number, steps: number): (() => Promise<void>) =>
    () =>
      call(port, steps, agent);
  // Rounds of both take about as long, so that neither leaves the server more work to finish in a round of the other.
  const jobsOf = (name: string): number => (name === "DBOS" ? Math.ceil(jobs / 6) : jobs);
  try {
    // Both services take some seconds of load until their code is compiled, which a service that runs has long done.
    for (const [name, service] of services) {
      progress(`durable: ${name} compiles its code`);
      await measure(job(service.port, stepsOfJob), jobsOf(name), inFlight);
      agent.destroy();
      service.hold();
    }
    const samples = await interleave(
      [...services].map(([name, service]) => ({
        name,
        // The cores belong to one service at a time: the other one would poll its database.
        sample: async () => {
          const { port } = service;
          service.go();
          await measure(job(port, stepsOfJob), inFlight, inFlight);
          const { perSecond } = await measure(job(port, stepsOfJob), jobsOf(name), inFlight);
          const { p50 } = await measure(job(port, aloneSteps), 5, 1);
          // A server closes connections that were idle for seconds as soon as it goes on.
          agent.destroy();
          service.hold();
          return { perSecond: perSecond * stepsOfJob, alone: p50 / aloneSteps };
        },
      })),
      { rounds, warmups: 0, onRound: (round) => progress(`durable: round ${round + 1} of ${rounds}`) },
    );
    const beside = services.has("DBOS")
      ? [atLeast(5, "tenon ÷ DBOS", samples.ratio("perSecond", "tenon", "DBOS"))]
      : [];
    return [
      {
        id: "durable-steps",
        name: `Steps of durable jobs on PostgreSQL, ${inFlight} jobs of ${stepsOfJob} steps at a time`,
        unit: "steps/s",
        better: "higher",
        rows: samples.rows("perSecond"),
        goals: [atLeast(5000, "tenon", samples.median("perSecond", "tenon"), "steps/s"), ...beside],
      },
      {
        id: "durable-step",
        name: `A step of a durable job on PostgreSQL, one at a time`,
        unit: "ms",
        better: "lower",
        rows: samples.rows("alone"),
        goals: [atMost(4, "tenon", samples.median("alone", "tenon"), "ms")],
      },
    ];
  } finally {
    agent.destroy();
    for (const service of services.values()) service.stop();
  }
}

/** Runs a job to its end. */
function call(port: number, steps: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", prefer: "wait=60" };
    request({ host: "127.0.0.1", port, path: "/tool", method: "POST", agent, headers }, (answer) => {
      answer.resume().once("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`A job was answered ${answer.statusCode}.`));
      });
    })
      .once("error", reject)
      .end(JSON.stringify({ steps, text: "x".repeat(100) }));
  });
}
