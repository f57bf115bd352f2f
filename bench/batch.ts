/**
 * A batch service against a bare loop of `fetch` that asks and answers, at 32 jobs at the same time, as whole processes
 * with the sidecar in this one: jobs per second. `node bench/batch.ts [jobs] [rounds] [--quick]
 * [--json FILE]`. Also what emitting an event costs
 * the worker. Goal: 0.8 × the loop, 5 µs per event.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atLeast } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";

const concurrency = 32;
const kinds = ["loop", "tenon", "loop, 2 events", "tenon, 2 events"] as const;

const [, , first = "", second = "0"] = process.argv;
if (first === "--loop") await loop(process.env["PLATFORM_BASE_URL"] ?? "", Number(second));
else if (first === "--tenon") await service(Number(second));
else if (first === "--emit") await emitCost();
else await bench();

/** The loop that an author would write by hand. */
async function loop(base: string, events: number): Promise<void> {
  const work = async (): Promise<void> => {
    for (;;) {
      const asked = await fetch(`${base}/next_job`);
      const {
        id,
        $schema,
        "in-content": content,
      } = (await asked.json()) as { id: string; $schema?: string; "in-content": { number: number } };
      if ($schema !== undefined) return;
      const headers = { "Content-Type": "application/json", Authorization: asked.headers.get("authorization") ?? "" };
      for (let n = 1; n <= events; n++) {
        const body = JSON.stringify({
          $schema: "urn:platform:schema:service.event.generic.1",
          name: "n",
          options: { n },
          sequence: n,
        });
        await (await fetch(`${base}/events/${encodeURIComponent(id)}`, { method: "POST", headers, body })).text();
      }
      const body = JSON.stringify({ number: content.number, isPrime: isPrime(content.number) });
      await (
        await fetch(`${base}/results/${encodeURIComponent(id)}`, {
          method: "POST",
          headers: { ...headers, "Is-Error": "false" },
          body,
        })
      ).text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  process.exit(0);
}

async function service(events: number): Promise<void> {
  const { GenericEvent, Service, startBatchService } = await import("../runtime/index.ts");
  const { defineTool } = await import("../runtime/internal.ts");
  const schema = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
  defineTool(
    {
      name: "isPrime",
      description: "",
      signature: "",
      source: "bench:1",
      annotations: {},
      request: { schema },
      result: { kind: "json" },
      mcp: { inputSchema: schema },
    },
    {
      call: ({ number }: { number: number }, job: { report: { emit(event: object): void } }) => {
        for (let n = 1; n <= events; n++) job.report.emit(new GenericEvent("n", { n }));
        return { number, isPrime: isPrime(number) };
      },
      isRequest: (wire: unknown) => Number.isInteger((wire as { number?: unknown } | null)?.number),
    },
  );
  process.argv.splice(2, Infinity, "--concurrency", String(concurrency));
  await startBatchService(new Service({ name: "Bench", version: "1" }));
}

async function emitCost(): Promise<void> {
  const { GenericEvent } = await import("../runtime/index.ts");
  const { createSidecarSink } = await import("../runtime/outside/platform/delivery/sidecar-sink.ts");
  const { systemClock } = await import("../runtime/base/clock.ts");
  const { createExecutor } = await import("../runtime/executor/job-executor.ts");
  const { createMemoryStore } = await import("../runtime/executor/store/memory/memory.ts");
  const client = { send: () => new Promise<never>(() => {}), close() {} };
  const sink = createSidecarSink({ client, clock: systemClock });
  const perRound: number[] = [];
  const call = (_: never, job: { report: { emit(event: object): void } }): number => {
    const before = performance.now();
    for (let n = 0; n < 500; n++) job.report.emit(new GenericEvent("step", { n, message: "Half of it is done" }));
    return (performance.now() - before) * 2;
  };
  const tool = {
    name: "t",
    path: "/tool",
    options: {},
    definition: {
      name: "t",
      description: "",
      signature: "",
      source: "",
      annotations: {},
      result: { kind: "json" as const },
      mcp: { inputSchema: {} },
    },
    functions: { call: (request: never, job: never) => call(request, job) },
  };
  const executor = createExecutor({ tools: [tool], store: createMemoryStore(), sinks: [sink] });
  for (let n = 0; n < 400; n++) {
    const outcome = await executor.start({ tool, input: {} }).done;
    if (outcome.state === "succeeded" && outcome.result.kind === "json") perRound.push(Number(outcome.result.json));
  }
  const median = perRound.toSorted((one, other) => one - other)[perRound.length >> 1] ?? 0;
  console.log(`emit: ${median.toFixed(2)} µs per event (median of ${perRound.length} jobs of 500)`);
  process.exit(0);
}

function isPrime(number: number): boolean {
  for (let d = 2; d * d <= number; d += 1) if (number % d === 0) return false;
  return number > 1;
}

async function bench(): Promise<void> {
  const { quick, words, progress, finish } = benchScript();
  const jobs = Number(words[0] ?? (quick ? 1500 : 10_000));
  const rounds = Number(words[1] ?? (quick ? 1 : 3));
  const samples = await interleave(
    kinds.map((name) => ({
      name,
      async sample() {
        const kind = name.startsWith("loop") ? "--loop" : "--tenon";
        return { rate: await run(kind, name.includes("events") ? 2 : 0, jobs) };
      },
    })),
    { rounds, warmups: quick ? 0 : 1, onRound: (round) => progress(`batch: round ${round + 1} of ${rounds}`) },
  );
  await child(["--emit"], {});
  finish([
    {
      id: "batch",
      name: `Batch jobs, ${concurrency} at the same time, beside a bare loop of fetch`,
      unit: "jobs/s",
      better: "higher",
      rows: samples.rows("rate"),
      goals: [
        atLeast(0.8, "tenon ÷ loop", samples.ratio("rate", "tenon", "loop")),
        atLeast(0.8, "tenon ÷ loop, 2 events each", samples.ratio("rate", "tenon, 2 events", "loop, 2 events")),
      ],
    },
  ]);
}

/** Jobs per second, from the first request for a job to the last result. */
async function run(kind: string, events: number, jobs: number): Promise<number> {
  let asked = 0;
  let answered = 0;
  let start = 0;
  let end = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (request.method === "POST") {
        if (request.url?.startsWith("/results/") === true && ++answered === jobs) end = performance.now();
        response.writeHead(204).end();
        return;
      }
      if (asked++ === 0) start = performance.now();
      const done = asked > jobs;
      const body = done
        ? '{"$schema":"urn:platform:schema.service.batch.done.1"}'
        : `{"id":"urn:platform:job:${asked}","in-content-type":"application/json","in-content":{"number":${asked}}}`;
      response.writeHead(200, {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        Authorization: `Bearer ${asked}`,
      });
      response.end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await child([kind, String(events)], { PLATFORM_BASE_URL: `http://127.0.0.1:${port}`, PLATFORM_LOG_LEVEL: "ERROR" });
  server.closeAllConnections();
  server.close();
  if (answered !== jobs) throw new Error(`${kind}: ${answered} of ${jobs} results`);
  return jobs / ((end - start) / 1000);
}

/** Runs in a folder of its own, so that no results of another run are in its spool. */
function child(args: readonly string[], env: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  return new Promise<void>((resolve, reject) => {
    const process_ = fork(import.meta.filename, args, {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    process_.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(" ")}: exit code ${code}`))));
  }).finally(() => rmSync(folder, { recursive: true, force: true }));
}
