/**
 * `POST` of a tool against a bare `node:http` that parses and answers: requests per second and CPU time of the server per
 * request. `node bench/rest-hot-path.ts [seconds] [rounds]`. The client is raw keep-alive sockets in this process.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { connect } from "node:net";

const connections = 32;
const body = JSON.stringify({ number: 997, note: "x".repeat(280), tags: ["a", "b"] });
const request = Buffer.from(
  `POST /tool HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);

interface Usage {
  readonly user: number;
  readonly system: number;
}

if (process.argv[2] === "--server") await runServer(process.argv[3] ?? "");
else await runBench(Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 5));

async function runServer(kind: string): Promise<void> {
  const port = kind === "bare" ? await bareServer() : await tenonServer(kind);
  process.on("message", () => process.send?.(process.cpuUsage()));
  process.on("disconnect", () => process.exit(0));
  process.send?.({ port });
}

async function bareServer(): Promise<number> {
  const server = process.getBuiltinModule("node:http").createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { number } = JSON.parse(Buffer.concat(chunks).toString()) as { number: number };
      const text = JSON.stringify({ number, isPrime: isPrime(number) });
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function tenonServer(kind: string): Promise<number> {
  const { readConfig } = await import("../runtime/config.ts");
  const { Service } = await import("../runtime/service.ts");
  const { startServer } = await import("../runtime/start-server.ts");
  const answer = ({ number }: { number: number }): unknown => ({ number, isPrime: isPrime(number) });
  const definition = {
    name: "isPrime",
    description: "",
    signature: "",
    source: "bench:1",
    annotations: {},
    request: { schema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] } },
    result: { kind: "json" as const, schema: {} },
    mcp: { inputSchema: { type: "object" } },
  };
  const functions = {
    call:
      kind === "async"
        ? async (value: never): Promise<unknown> => answer(value)
        : (value: never): unknown => answer(value),
    isRequest: (wire: unknown) =>
      typeof wire === "object" && wire !== null && Number.isInteger((wire as { number?: unknown }).number),
    encodeResult: (value: { number: number; isPrime: boolean }) => ({ number: value.number, isPrime: value.isPrime }),
    isResult: (wire: unknown) => typeof (wire as { isPrime?: unknown }).isPrime === "boolean",
  };
  const config = readConfig({ HOST: "127.0.0.1", PORT: "0" }, []);
  const tool = { name: "isPrime", definition, functions: functions as never, options: {}, path: "/tool" };
  const { url } = await startServer({ service: new Service({ name: "bench" }), version: "0", tools: [tool] }, config);
  return Number(new URL(url).port);
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return number > 1;
}

async function runBench(seconds: number, rounds: number): Promise<void> {
  const kinds = ["bare", "sync", "async"] as const;
  const servers = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await startChild(kind)) })));
  const results = new Map<string, { rate: number; cpu: number }[]>(kinds.map((kind) => [kind, []]));
  for (const { port } of servers) await load(port, 1);
  for (let round = 0; round < rounds; round++) {
    for (const { kind, port, child } of servers) {
      const before = await usage(child);
      const count = await load(port, seconds);
      const after = await usage(child);
      const cpu = (after.user + after.system - before.user - before.system) / count;
      results.get(kind)?.push({ rate: count / seconds, cpu });
    }
  }
  const bare = results.get("bare") ?? [];
  for (const [kind, rows] of results) {
    const rate = median(rows.map((row) => row.rate));
    const cpu = median(rows.map((row) => row.cpu));
    const ratio = median(rows.map((row, round) => row.rate / (bare[round]?.rate ?? Number.NaN)));
    const cpuRatio = median(rows.map((row, round) => (bare[round]?.cpu ?? Number.NaN) / row.cpu));
    console.log(
      `${kind.padEnd(6)} ${rate.toFixed(0).padStart(7)}/s  ${ratio.toFixed(2)} × bare   ${cpu.toFixed(1)} µs CPU  ${cpuRatio.toFixed(2)} × bare`,
    );
  }
  for (const { child } of servers) child.disconnect();
}

function startChild(kind: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(import.meta.filename, ["--server", kind]);
  return new Promise((resolve) => {
    child.once("message", (message: { port: number }) => resolve({ child, port: message.port }));
  });
}

function usage(child: ChildProcess): Promise<Usage> {
  return new Promise((resolve) => {
    child.once("message", (message: Usage) => resolve(message));
    child.send("usage");
  });
}

/** Requests that were answered in the given time, over keep-alive connections with one request each under way. */
function load(port: number, seconds: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let open = connections;
    let running = true;
    for (let index = 0; index < connections; index++) {
      const socket = connect(port, "127.0.0.1", () => socket.write(request));
      socket.setNoDelay(true);
      socket.on("data", (chunk) => {
        if (chunk[9] !== 0x32) reject(new Error(chunk.toString()));
        count++;
        if (running) socket.write(request);
        else socket.end();
      });
      socket.on("error", reject);
      socket.on("close", () => --open === 0 && resolve(count));
    }
    setTimeout(() => {
      running = false;
    }, seconds * 1000);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
