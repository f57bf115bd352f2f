/**
 * What telemetry costs: CPU time per request of a service with and without an endpoint, asked 5,000 times a second in
 * alternating rounds; then as fast as it goes, where spans are dropped and counted and no job waits.
 * The goal is at most 15 %. `node bench/telemetry.ts [rounds]`. Linux only: it reads /proc.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startOtlpSink } from "../test/support/otlp-sink.ts";

const perSecond = 5000;
const seconds = 4;
const parallel = 64;

interface Service {
  readonly url: URL;
  readonly agent: http.Agent;
  /** Seconds of CPU that it has used. */
  cpu(): number;
  stderr(): string;
  stop(): Promise<void>;
}

async function start(env: Readonly<Record<string, string>>): Promise<Service> {
  const child = spawn(process.execPath, ["test/support/services/telemetry.ts", "--host", "127.0.0.1", "--port", "0"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  const url = await new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
      const found = /listens on (http:\S+)\n/.exec(stderr)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: parallel });
  return {
    url: new URL(`${url}/tool`),
    agent,
    cpu() {
      // utime and stime in hundredths of a second, behind the name, which may hold anything.
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    stderr: () => stderr,
    stop: () =>
      new Promise((resolve) => {
        agent.destroy();
        child.on("close", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}

function post({ url, agent }: Service): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": 2 };
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().on("end", resolve);
    });
    request.on("error", reject).end("{}");
  });
}

/** CPU per request in microseconds at a steady rate. */
async function steady(service: Service): Promise<number> {
  const [before, began] = [service.cpu(), performance.now()];
  const total = perSecond * seconds;
  const sent: Promise<void>[] = [];
  while (sent.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * perSecond));
    while (sent.length < due) sent.push(post(service));
    await sleep(1);
  }
  await Promise.all(sent);
  return ((service.cpu() - before) / total) * 1e6;
}

async function saturate(service: Service): Promise<number> {
  let left = perSecond * seconds;
  const began = performance.now();
  const count = left;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) await post(service);
    }),
  );
  return (count / (performance.now() - began)) * 1000;
}

const rounds = Number(process.argv[2] ?? 7);
const sink = await startOtlpSink((response) => response.writeHead(200).end());
const off = await start({});
const on = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: sink.url });
await Promise.all([steady(off), steady(on)]);
const ratios: number[] = [];
for (let at = 0; at < rounds; at++) {
  const first = await steady(at % 2 === 0 ? on : off);
  const second = await steady(at % 2 === 0 ? off : on);
  ratios.push(at % 2 === 0 ? first / second : second / first);
}
const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
console.log(`${perSecond} requests a second: ${((ratio - 1) * 100).toFixed(1)} % more CPU with telemetry`);
const [slow, fast] = [await saturate(on), await saturate(off)];
await Promise.all([off.stop(), on.stop()]);
await sink.close();
const dropped = /\d+ spans were dropped[^"]*/.exec(on.stderr())?.[0] ?? "none dropped";
console.log(
  `saturated: ${slow.toFixed(0)} per second with, ${fast.toFixed(0)} without; ${dropped}; every answer was 200`,
);
