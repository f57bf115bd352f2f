// Counts the files and functions of `runtime/` that one call runs through, by precise coverage: what a reader has to
// open to follow it. `--list` names them.
import { Session } from "node:inspector/promises";
import type { Profiler } from "node:inspector";
import { connect } from "node:net";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readConfig } from "../runtime/service/config/config.ts";
import { Service } from "../runtime/service/service.ts";
import type { Tool } from "../runtime/service/tools/tool.ts";
import { startServer } from "../runtime/start/start-server.ts";

const root = fileURLToPath(new URL("../runtime/", import.meta.url));
const { list } = parseArgs({ options: { list: { type: "boolean", default: false } } }).values;

const schema = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
const tool: Tool = {
  name: "isPrime",
  path: "/tool",
  options: {},
  definition: {
    name: "isPrime",
    description: "Says whether a number is prime.",
    signature: "isPrime(number)",
    source: "is-prime.ts:1",
    annotations: {},
    request: { schema },
    result: { kind: "json", schema: { type: "object" } },
    mcp: { inputSchema: schema, outputSchema: { type: "object" } },
  },
  functions: { call: () => ({ isPrime: true }), isRequest: () => true },
};

const key = "io.modelcontextprotocol/";
const message = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "isPrime",
    arguments: { number: 997 },
    _meta: { [`${key}protocolVersion`]: "2026-07-28", [`${key}clientCapabilities`]: {} },
  },
};
const calls = {
  "POST /tool": { path: "/tool", body: { number: 997 }, headers: {} },
  "tools/call": {
    path: "/mcp",
    body: message,
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "isPrime",
    },
  },
} as const;

const config = readConfig({ HOST: "127.0.0.1", PORT: "0" }, ["--with-mcp", "--test-without-sidecar"]);
const served = { service: new Service({ name: "Trip" }), version: "1", tools: [tool] };
const server = await startServer(served, config);
const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** Over a socket, since a client of `node:http` in this process would run through the hooks of outbound requests. */
function call({ path, body, headers }: (typeof calls)[keyof typeof calls]): Promise<string> {
  const text = JSON.stringify(body);
  const lines = Object.entries({ host: "localhost", "content-type": "application/json", ...headers });
  const head = [...lines, ["content-length", text.length]].map(([name, value]) => `${name}: ${value}`);
  return new Promise((resolve) => {
    let answer = "";
    const take = (chunk: Buffer): void => {
      answer += chunk.toString("latin1");
      const [, length = "-1"] = /^content-length: (\d+)/im.exec(answer) ?? [];
      if (answer.length < answer.indexOf("\r\n\r\n") + 4 + Number(length)) return;
      socket.off("data", take);
      resolve(answer);
    };
    socket.on("data", take);
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${text}`);
  });
}

/** Functions that ran since the last reading, by file. */
async function taken(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { result } = (await session.post("Profiler.takePreciseCoverage")) as Profiler.TakePreciseCoverageReturnType;
  const files = result.flatMap(({ url, functions }) => {
    if (!url.startsWith("file:") || !fileURLToPath(url).startsWith(root)) return [];
    // The function that begins where the file does is the module itself.
    const ran = functions.filter(({ ranges: [range] }) => range?.startOffset !== 0 && (range?.count ?? 0) > 0);
    return ran.length === 0
      ? []
      : [[relative(root, fileURLToPath(url)), ran.map(({ functionName }) => functionName)] as const];
  });
  return new Map(files);
}

for (const [name, one] of Object.entries(calls)) {
  // Earlier rounds take out code and objects that only a first call loads and makes.
  for (let round = 0; round < 3; round++) {
    const answer = await call(one);
    if (!answer.startsWith("HTTP/1.1 200")) throw new Error(`${name} was answered ${answer}`);
  }
  await new Promise((resolve) => setImmediate(resolve));
  await taken();
  await call(one);
  const files = await taken();
  const functions = [...files.values()].flat();
  console.log(`${name}: ${files.size} files, ${functions.length} functions`);
  if (list) for (const [file, ran] of files) console.log(`  ${file}: ${ran.join(", ")}`);
}
socket.destroy();
session.disconnect();
await server.stop();
process.exit(0);
