import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { describeCalls } from "./calls.ts";
import { clientKinds, connect, type TestClient } from "./clients.ts";
import { legacyBody, modernBody } from "./raw-http.ts";

const service = join(inject("bundledServices"), "stdio-service.js");

describe.each(clientKinds)("client %s over stdio", (kind) => {
  let client: TestClient;
  let log = "";

  beforeAll(async () => {
    client = await connect(kind, { command: process.execPath, args: [service], onStderr: (chunk) => (log += chunk) });
  });
  afterAll(() => client.close());

  describeCalls(() => client);

  test("what a tool prints goes to standard error", async () => {
    expect((await client.callTool("noisy")).structuredContent).toEqual({ quiet: true });
    await expect.poll(() => log).toMatch(/noise on the console\n[^]*noise on standard output\n/);
  });

  test("a cancelled call is aborted, and the connection lives", async () => {
    const controller = new AbortController();
    const call = client.callTool("wait", {}, { signal: controller.signal }).catch((error: unknown) => error);
    await expect.poll(() => log).toContain("[started]");
    controller.abort();
    expect(await call).toBeInstanceOf(Error);
    await expect.poll(() => log).toContain("[aborted] ToolError: The client cancelled the call.");
    expect((await client.callTool("echo", { text: "alive" })).content).toEqual([{ type: "text", text: "alive" }]);
  });

  test("there is no authorization", async () => {
    const { structuredContent } = await client.callTool("context");
    expect(structuredContent).toEqual({ jobId: expect.stringMatching(/^urn:platform:job:/) as unknown });
  });
});

interface Exchange {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<{ readonly code: number | null }>;
  readonly out: Promise<string>;
}

/** Starts the service. Whatever would wait for the grace of running jobs would never end. */
function start(): Exchange {
  const env = { ...process.env, PLATFORM_SHUTDOWN_GRACE: "3600" };
  const child = spawn(process.execPath, [service], { stdio: "pipe", env });
  const exit = new Promise<{ code: number | null }>((resolve) => {
    child.on("exit", (code) => resolve({ code }));
  });
  // Some tests close the output.
  const out = text(child.stdout).catch(() => "");
  return { child, exit, out };
}

function messages(out: string): Record<string, unknown>[] {
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("raw lines", () => {
  test("piped requests are answered before the process ends", async () => {
    const { child, exit, out } = start();
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    child.stdin.end(
      [
        legacyBody("initialize", hello, 1),
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        legacyBody("tools/call", { name: "steps", arguments: { steps: 3 } }, 2),
        legacyBody("tools/call", { name: "noisy" }, 3),
      ].join("\n"),
    );
    expect(await exit).toMatchObject({ code: 0 });
    expect(messages(await out).toSorted((a, b) => Number(a["id"]) - Number(b["id"]))).toMatchObject([
      { id: 1, result: { protocolVersion: "2025-11-25" } },
      { id: 2, result: { structuredContent: { steps: 3 } } },
      { id: 3, result: { structuredContent: { quiet: true } } },
    ]);
  });

  test("progress is written before the result", async () => {
    const { child, exit, out } = start();
    child.stdin.end(legacyBody("tools/call", { name: "steps", arguments: { steps: 2 }, _meta: { progressToken: 5 } }));
    await exit;
    expect(messages(await out)).toMatchObject([
      { method: "notifications/progress", params: { progressToken: 5, progress: 1, message: "Step 1 begins" } },
      { method: "notifications/progress", params: { progressToken: 5, progress: 2, message: "step 1" } },
      { method: "notifications/progress", params: { progressToken: 5, progress: 3, message: "Step 2 begins" } },
      { method: "notifications/progress", params: { progressToken: 5, progress: 4, message: "step 2" } },
      { id: 1, result: { structuredContent: { steps: 2 } } },
    ]);
  });

  test.each([
    ["legacy", legacyBody("tools/call", { name: "echo", arguments: { text: "hi" } })],
    ["modern", modernBody("tools/call", { name: "echo", arguments: { text: "hi" } })],
  ])("a %s call needs nothing before it", async (_, line) => {
    const { child, exit, out } = start();
    child.stdin.end(`${line}\n`);
    expect(await exit).toMatchObject({ code: 0 });
    expect(messages(await out)).toMatchObject([{ id: 1, result: { content: [{ type: "text", text: "hi" }] } }]);
  });

  test("faults are answered, and the next line is read", async () => {
    const { child, exit, out } = start();
    const lines = [
      "{",
      '"\u0000"',
      "[".repeat(5000),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{}}}}`,
      `"${"x".repeat(1_100_000)}"`,
      `[${legacyBody("ping")}]`,
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{}}}',
      legacyBody("tools/call", { name: "nope" }, 8),
      legacyBody("nope", undefined, 9),
      legacyBody("tools/list", { cursor: "x" }, 10),
      legacyBody("ping", undefined, 11),
      legacyBody("tools/call", { name: "echo", arguments: { text: "x".repeat(1_100_000), id: 1 } }, 12),
      `{"method":"tools/call","params":{"a":"${"x".repeat(1_100_000)}","id":1},"jsonrpc":"2.0","id":13}`,
      // An answer, whose id is of a question of the service: its client has no call with this id.
      `{"jsonrpc":"2.0","id":14,"result":{"a":"${"x".repeat(1_100_000)}"}}`,
    ];
    child.stdin.end(`${lines.join("\n\n")}\r\n`);
    expect(await exit).toMatchObject({ code: 0 });
    const answers = messages(await out);
    const error = (id: unknown, code: number): object => ({ id, error: { code } });
    expect(answers).toHaveLength(lines.length);
    expect(answers.filter((answer) => answer["id"] === null)).toMatchObject([
      error(null, -32700),
      error(null, -32700),
      error(null, -32600),
      error(null, -32600),
      error(null, -32600),
      error(null, -32600),
      error(null, -32600),
    ]);
    expect(
      answers.filter((answer) => answer["id"] !== null).toSorted((a, b) => Number(a["id"]) - Number(b["id"])),
    ).toMatchObject([
      error(7, -32602),
      error(8, -32602),
      error(9, -32601),
      error(10, -32602),
      { id: 11, result: {} },
      error(12, -32600),
      error(13, -32600),
    ]);
  });
});

describe("the end", () => {
  /** Waits until a call runs that never ends by itself. */
  async function waiting(): Promise<ReturnType<typeof start>> {
    const exchange = start();
    const started = new Promise<void>((resolve) => {
      createInterface(exchange.child.stderr).on("line", (line) => line === "[started]" && resolve());
    });
    exchange.child.stdin.write(`${legacyBody("tools/call", { name: "wait" })}\n`);
    await started;
    return exchange;
  }

  test("the end of the input ends the process, whatever runs", async () => {
    const { child, exit } = await waiting();
    child.stdin.end();
    expect(await exit).toEqual({ code: 0 });
  });

  test("an idle service ends at once", async () => {
    const { child, exit } = start();
    child.stdin.write(`${legacyBody("ping")}\n`);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.stdin.end();
    expect(await exit).toEqual({ code: 0 });
  });

  test("a second signal ends the process at once", async () => {
    const { child, exit } = await waiting();
    child.kill("SIGTERM");
    child.kill("SIGINT");
    expect([128 + 15, 128 + 2]).toContain((await exit).code);
  });

  test("a client that closes the output ends the process", async () => {
    const { child, exit } = await waiting();
    child.stdout.destroy();
    child.stdin.write(`${legacyBody("tools/list", undefined, 2)}\n${legacyBody("tools/list", undefined, 3)}\n`);
    expect(await exit).toMatchObject({ code: 0 });
  });
});
