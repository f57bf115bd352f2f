import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bareEnv } from "../support/bare-env.ts";
import { type PackedProject, packedProject, serve, type Served } from "../support/packed-project.ts";

const source = `import { BinaryResult, type JobContext, loggingInit, Service, startLambdaServer, ValueError } from "tenon";
loggingInit();
/**
 * Halves a number.
 * @tool
 * @readonly
 * @schema urn:example:schema.half.request.1
 * @example { "n": 4 }
 * @example { "n": 3 }
 * @param n - The number.
 */
export function half(n: number): number {
  if (n % 2 !== 0) throw new ValueError("n is odd");
  return n / 2;
}
/** Gives a picture. @tool */
export function picture(): BinaryResult {
  return new BinaryResult(new Uint8Array([137, 80, 0]), "image/png");
}
/** Greets. @tool */
export function greeting(): string {
  return "hello";
}
/** Ends the process. @tool */
export function leave(): string {
  console.log("bye");
  process.exit(3);
}
/** Works in steps. @tool */
export async function work(job: JobContext): Promise<number> {
  job.report.step("load", () => 1);
  job.report.step("save", (step) => step.info("half way"));
  await job.report.step("send", () => Promise.reject(new Error("no line"))).catch(() => {});
  return 1;
}
await startLambdaServer(new Service({ name: "Halves" }));
`;

let user: PackedProject;
let withMcp: Served;
let restOnly: Served;
beforeAll(async () => {
  user = packedProject({ "src/service.ts": source });
  expect(user.tenon("build")).toMatchObject({ status: 0 });
  const entry = join(user.root, "dist/service.mjs");
  [withMcp, restOnly] = await Promise.all([serve(entry, ["--with-mcp"]), serve(entry)]);
});
afterAll(async () => {
  expect(await Promise.all([withMcp.stop(), restOnly.stop()])).toEqual([0, 0]);
  user.dispose();
});

/** Beside this process, in which some of the servers run. */
function tenon(...words: readonly string[]): ReturnType<typeof tenonWith> {
  return tenonWith([], ...words);
}

/** The same with flags of Node. */
async function tenonWith(
  flags: readonly string[],
  ...words: readonly string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...flags, join(user.root, "node_modules/tenon/dist/cli/main.js"), ...words], {
    cwd: user.root,
    env: { ...bareEnv(), NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

describe.each([
  ["REST", ""],
  ["MCP", "/mcp"],
])("tenon call over %s", (_name, path) => {
  const call = (...words: readonly string[]): ReturnType<typeof tenon> =>
    tenon("call", ...words, "--url", withMcp.url + path);

  test("a misspelt name is answered with the list of tools", async () => {
    expect(await call("halve")).toEqual({
      code: 1,
      stdout: "",
      stderr:
        'tenon: The service has no tool "halve". Did you mean half? Its tools: half, picture, greeting, leave, work\n',
    });
  });

  test("a user's mistake and a bad request end with 1", async () => {
    expect(await call("half", '{"n": 3}')).toEqual({ code: 1, stdout: "", stderr: "n is odd\n" });
    const { code, stdout, stderr } = await call("half", '{"n": "x"}');
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain('/n: Expected number, got "x".');
  });

  test("results are printed alike", async () => {
    expect(await call("half", '{"n": 4}')).toMatchObject({ code: 0, stdout: "2\n" });
    expect(await call("greeting")).toMatchObject({ code: 0, stdout: "hello\n" });
    expect((await call("half", '{"n": "x"}')).stderr).toBe(
      'The request does not match its schema.\n    /n: Expected number, got "x".\n',
    );
  });

  test("steps have the same signs", async () => {
    const { code, stdout, stderr } = await call("work");
    expect([code, stdout]).toEqual([0, "1\n"]);
    expect(stderr.split("\n").map((line) => line.trim())).toEqual([
      "● load",
      "✓ load",
      "● save",
      "· save half way",
      "✓ save",
      "● send",
      "✗ send The step failed. The service's log has the reason.",
      "",
    ]);
  });

  test("bytes are refused on a terminal", async () => {
    const terminal = "data:text/javascript,process.stdout.isTTY=true";
    const { code, stdout, stderr } = await tenonWith(
      ["--import", terminal],
      "call",
      "picture",
      "--url",
      withMcp.url + path,
    );
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      "tenon: The result is 3 bytes of image/png. Write the content into a file: -o FILE\n",
    ]);
  });

  test("bytes go into the file of -o", async () => {
    const file = join(user.root, `picture${path.length}.png`);
    expect(await call("picture", "-o", file)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect([...readFileSync(file)]).toEqual([137, 80, 0]);
    expect(await call("picture", "-o", join(user.root, "no/such/folder"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot be written (ENOENT)"),
    });
  });

  test("process.exit ends the job, not the service", async () => {
    expect(await call("leave")).toMatchObject({ code: 1, stderr: expect.stringContaining("The tool failed.") });
    expect((await fetch(`${withMcp.url}/healthz`)).status).toBe(200);
  });
});

test("a service that runs for one call shows its log and what the tool prints; with --json, where the call fails", async () => {
  const { code, stdout, stderr } = await tenon("call", "leave");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^ {2}bye$/m);
  expect(stderr).toMatch(
    /^ {2}ERROR tenon: job failed \{"kind":"[-a-z]+"\}\n[^]*process\.exit\(3\)[^]* at leave [^]*^The tool failed\./m,
  );
  expect(stderr).not.toMatch(/stopping|node_modules\/(?!tenon\/generated\.js)/);
  const json = await tenon("call", "leave", "--json");
  expect(json.stderr.replace(/job:\S+/, "")).toBe(stderr.replace(/job:\S+/, ""));
  expect(await tenon("call", "greeting", "--json")).toEqual({ code: 0, stdout: "hello\n", stderr: "" });
});

test("a service without --with-mcp names the flag", async () => {
  const hint = "This service does not serve MCP over HTTP. Start it with --with-mcp.";
  expect(await tenon("call", "half", '{"n": 4}', "--url", `${restOnly.url}/mcp`)).toEqual({
    code: 1,
    stdout: "",
    stderr: `tenon: ${restOnly.url}/mcp: ${hint}\n`,
  });
});

test("an address that is not a service's is one line, without a stack", async () => {
  const page = createServer((_, response) => response.setHeader("content-type", "text/html").end("<html>"));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  const html = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const cases: readonly (readonly [string, number, string])[] = [
    ["http://no-such-host.invalid", 1, "there is no such host"],
    ["http://127.0.0.1:1", 1, "bad port"],
    ["http://127.0.0.1:99999", 2, "is not the address of a service"],
    ["ftp://127.0.0.1", 2, "is not the address of a service"],
    [restOnly.url.replace("http:", "https:"), 1, "it does not speak https; write http:// instead"],
    [html, 1, "is not an OpenAPI document (text/html): is this a tenon service?"],
    [`${html}/mcp`, 1, "answered 200 with text/html, which is not MCP: is this a tenon service?"],
  ];
  for (const [url, code, words] of cases) {
    const said = await tenon("call", "half", "{}", "--url", url);
    expect([url, said.code, said.stdout, said.stderr]).toEqual([url, code, "", expect.stringContaining(words)]);
    expect(said.stderr).not.toMatch(/^\s+at /m);
  }
  page.close();
});

test("tenon check --examples runs every example, and ends with 1 when one fails", async () => {
  const { code, stdout } = await tenon("check", "--examples", "--json");
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    {
      current: true,
      examples: [
        { tool: "half", title: '{"n":4}', ok: true, answer: "2" },
        { tool: "half", title: '{"n":3}', ok: false, answer: "The tool refused its input: n is odd" },
      ],
    },
  ]);
});

test("tenon inspect --stage mcp is what tools/list says", async () => {
  const response = await fetch(`${withMcp.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
  expect(result.tools.map(({ name }) => name)).toEqual(["half", "picture", "greeting", "leave", "work"]);
  for (const tool of result.tools) {
    const { stdout } = await tenon("inspect", tool.name, "--stage", "mcp");
    expect(JSON.parse(stdout)).toEqual(tool);
  }
});

test("tenon inspect prints the instructions with their size, as a host gets them", async () => {
  const [printed, data] = [await tenon("inspect"), JSON.parse((await tenon("inspect", "--json")).stdout)];
  const { text, bytes, tokens } = data.instructions;
  expect(text).toContain("- half: ");
  expect(bytes).toBe(Buffer.byteLength(text));
  expect(printed.stderr).toContain(`${tokens}  instructions, ${bytes} of 2048 bytes:\n\n${text}`);
});

test("a flag that prints heeds --tool", () => {
  const entry = join(user.root, "dist/service.mjs");
  const described = JSON.parse(user.node([entry, "--print-tool-description", "--tool", "half"]).stdout);
  expect(described).toMatchObject({ $schema: "urn:platform:schema.tool.1", name: "half" });
  const service = JSON.parse(user.node([entry, "--print-service-description", "--tool", "half"]).stdout);
  expect(service.tools).toMatchObject([{ name: "half", path: "/tool/half" }]);
});

test("a command asks for no huge pages, before a bundler is loaded", async () => {
  const tell = 'data:text/javascript,process.once("exit",()=>console.error(process.env.MIMALLOC_ALLOW_THP))';
  expect(await tenonWith(["--import", tell], "--version")).toMatchObject({ code: 0, stderr: "0\n" });
});
