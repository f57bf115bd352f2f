/**
 * `npm start`: builds the examples into one service, serves it, calls every tool over REST, MCP over HTTP and MCP over
 * stdio, and shows the answers. Runs until Ctrl-C. With `CI` set it ends with 0, or with 1 when a call failed.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport, getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { startStub } from "../examples/gene-ontology-mapper/stub/start-stub.ts";
import { type Answer, type Demonstration, demonstrations } from "./demonstrations.ts";

/** A way to call a tool. */
interface Front {
  readonly name: string;
  readonly call: (tool: string, request: object) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

const project = "examples/all";
const bundle = `${project}/dist/service.mjs`;

build();
const stub = await startStub({ latency: 20, failEvery: 4 });
const port = await choosePort(Number(process.env["PORT"] ?? 8090));
const url = `http://127.0.0.1:${port}`;
const environment = { GO_SERVICE_URL: stub.url };
const service = spawn(process.execPath, [bundle, "--with-mcp", "--host", "127.0.0.1", "--port", String(port)], {
  env: { PLATFORM_LOG_LEVEL: "WARNING", ...process.env, ...environment },
  stdio: ["ignore", "inherit", "inherit"],
  // Its own process group: a service ends at once on a second signal, so Ctrl-C must reach it only once, through us.
  detached: true,
  windowsHide: true,
});
const ended = once(service, "exit");
let signalled = -Infinity;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // Both the terminal and npm pass Ctrl-C on.
    if (performance.now() - signalled > 500) service.kill(signal);
    signalled = performance.now();
  });
}

try {
  await ready(service, url);
  const failures = await demonstrate([
    rest(url),
    await mcp("MCP HTTP", new StreamableHTTPClientTransport(new URL("/mcp", url))),
    await mcp(
      "MCP stdio",
      new StdioClientTransport({
        command: process.execPath,
        args: [bundle, "--with-mcp-stdio"],
        env: { PLATFORM_LOG_LEVEL: "WARNING", ...getDefaultEnvironment(), ...environment },
      }),
    ),
  ]);
  if (failures > 0) {
    process.exitCode = 1;
    console.error(`\n${failures === 1 ? "One call" : `${failures} calls`} failed.`);
  }
  if (process.env["CI"] === undefined || process.env["CI"] === "") {
    console.log(`\nServing ${url}  (REST: /tool, MCP: /mcp, documentation: /docs). Ctrl-C ends it.`);
    await ended;
  }
} catch (error) {
  process.exitCode = 1;
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
} finally {
  if (service.exitCode === null && service.signalCode === null) service.kill("SIGTERM");
  await ended;
  await stub.stop();
}
// A connection left open by an error must not keep the process alive.
process.exit();

/** Compiles and bundles with the command line tool of this checkout, as `npm run build` does in an author's project. */
function build(): void {
  const entry = `${project}/src/service.ts`;
  const { status } = spawnSync(process.execPath, ["dist/cli/main.js", "build", entry, "--outdir", "dist"], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The wanted port if it is free, else a free one. */
async function choosePort(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const server = createServer().listen(port, "127.0.0.1");
    const free = await once(server, "listening").then(
      () => true,
      () => false,
    );
    const address = server.address();
    server.close();
    if (free && typeof address === "object" && address !== null) return address.port;
  }
  throw new Error("No free port.");
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(25)) {
    if (child.exitCode !== null) throw new Error(`The service ended with exit code ${child.exitCode}.`);
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return;
  }
  throw new Error(`The service did not become ready at ${url}.`);
}

function rest(url: string): Front {
  return {
    name: "REST",
    async call(tool, request) {
      const response = await fetch(`${url}/tool/${tool}`, {
        method: "POST",
        headers: { "content-type": "application/json", prefer: "wait=60" },
        body: JSON.stringify(request),
      });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      const type = response.headers.get("content-type") ?? "";
      if (type.startsWith("application/json")) return { json: await response.json() };
      return { bytes: new Uint8Array(await response.arrayBuffer()) };
    },
    async close() {},
  };
}

async function mcp(name: string, transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Front> {
  const client = new Client({ name: "tenon-examples", version: "1.0.0" });
  await client.connect(transport);
  return {
    name,
    async call(tool, request) {
      const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: { ...request } });
      const [block] = content;
      if (isError === true) throw new Error(block?.type === "text" ? block.text : "isError");
      if (block?.type === "image") return { bytes: Buffer.from(block.data, "base64") };
      return { json: structuredContent };
    },
    close: () => client.close(),
  };
}

/** Calls every tool on every front and prints the answers; resolves to the number of failed calls. */
async function demonstrate(fronts: readonly Front[]): Promise<number> {
  let failures = 0;
  for (const demonstration of demonstrations) {
    console.log(`\n${demonstration.tool} ${JSON.stringify(demonstration.request)}`);
    for (const front of fronts) {
      const { text, failed } = await show(front, demonstration);
      if (failed) failures++;
      console.log(`  ${front.name.padEnd(9)} ${text}`);
    }
  }
  await Promise.all(fronts.map((front) => front.close()));
  return failures;
}

async function show(
  front: Front,
  { tool, request, describe }: Demonstration,
): Promise<{ text: string; failed: boolean }> {
  const start = performance.now();
  try {
    const answer = await front.call(tool, request);
    const time = `${Math.round(performance.now() - start)} ms`.padStart(8);
    return { text: `${time}  ${describe(answer)}`, failed: false };
  } catch (error) {
    return { text: `  FAILED  ${error instanceof Error ? error.message : String(error)}`, failed: true };
  }
}
