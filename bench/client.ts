/**
 * A call by `tenon/client` beside what it stands for: `fetch`, `JSON.stringify` and `JSON.parse`, against the same
 * service. `npm run build && node bench/client.ts [--quick] [--json FILE]`.
 */
import { createClient } from "../dist/runtime/client/index.js";
import { buildService } from "./lib/build-service.ts";
import { atMost } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { pinLoad, startServerProcess } from "./lib/server-process.ts";

const { quick, progress, finish } = benchScript();
const [lead, count, rounds] = quick ? [100, 300, 5] : [200, 1000, 25];
const request = { number: 997, note: "x".repeat(280), tags: ["a", "b"] };
pinLoad();
const service = await startServerProcess(buildService(2), ["--host", "127.0.0.1", "--port", "0"]);
const url = `http://127.0.0.1:${service.port}`;

interface Tools {
  readonly isPrime: (request: { number: number; note: string; tags: string[] }) => { isPrime: boolean };
}
const client = createClient<Tools>({ url });
const calls = {
  "fetch and JSON": async () => {
    const response = await fetch(`${url}/tool/isPrime`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { isPrime: boolean };
  },
  "tenon/client": () => client.isPrime(request),
};

async function run(call: () => Promise<{ isPrime: boolean }>, times: number): Promise<void> {
  for (let done = 0; done < times; done++) if (!(await call()).isPrime) throw new Error("997 is prime.");
}

const samples = await interleave(
  Object.entries(calls).map(([name, call]) => ({
    name,
    async sample() {
      await run(call, lead);
      const before = process.cpuUsage();
      const start = performance.now();
      await run(call, count);
      const { user, system } = process.cpuUsage(before);
      return { wall: ((performance.now() - start) * 1000) / count, cpu: (user + system) / count };
    },
  })),
  { rounds, warmups: 3, onRound: (round) => round % 5 === 0 && progress(`round ${round + 1} of ${rounds}`) },
);
service.stop();
const goal = (quantity: "wall" | "cpu"): ReturnType<typeof atMost> =>
  atMost(1.1, "tenon/client ÷ fetch and JSON", samples.ratio(quantity, "tenon/client", "fetch and JSON"));
finish([
  {
    id: "client-call",
    name: "A call over REST, one after the other",
    unit: "µs",
    better: "lower",
    rows: samples.rows("wall"),
    goals: [goal("wall")],
  },
  {
    id: "client-cpu",
    name: "A call over REST, processor time of the caller",
    unit: "µs",
    better: "lower",
    rows: samples.rows("cpu"),
    goals: [goal("cpu")],
  },
]);
