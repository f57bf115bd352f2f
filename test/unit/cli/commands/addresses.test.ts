import { createServer } from "node:http";
import { createServer as listen, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { CommandError, UsageError } from "../../../../cli/base/usage.ts";
import { run as call } from "../../../../cli/commands/call.ts";
import { run as platform } from "../../../../cli/commands/platform.ts";
import { run as queue } from "../../../../cli/commands/queue.ts";
import { run as schedules } from "../../../../cli/commands/schedules.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** Commands that call an address which the user gives. */
const commands: Readonly<Record<string, (at: readonly string[]) => Promise<number>>> = {
  "call a": (at) => call(["a", "{}", ...at]),
  "call a over MCP": (at) => call(["a", "{}", "--mcp", ...at]),
  queue,
  "queue drain": (at) => queue(["drain", "pay", ...at]),
  schedules,
  "schedules pause": (at) => schedules(["pause", "pay", ...at]),
  "platform artifacts": (at) => platform(["artifacts", ...at]),
  "platform artifacts --upload": (at) => platform(["artifacts", "--upload", "package.json", ...at]),
  "platform fork": (at) => platform(["fork", "a:b", ...at]),
  "platform fork of a short id": (at) => platform(["fork", "3f9a", ...at]),
  "platform jobs": (at) => platform(["jobs", ...at]),
  "platform jobs a:b": (at) => platform(["jobs", "a:b", ...at]),
  "platform jobs --dead": (at) => platform(["jobs", "--dead", ...at]),
  "platform redrive": (at) => platform(["redrive", ...at]),
  "platform send": (at) => platform(["send", "a:b", "name", "{}", ...at]),
  "platform submit": (at) => platform(["submit", "service", "{}", ...at]),
  "platform submit to the only service": (at) => platform(["submit", "{}", ...at]),
  "platform watch": (at) => platform(["watch", ...at]),
  "platform watch a:b": (at) => platform(["watch", "a:b", ...at]),
};
/** Commands for which any JSON object is an answer. */
const undemanding = new Set(["platform artifacts --upload", "platform fork", "platform jobs a:b", "platform send"]);
const names = Object.keys(commands);
/** A client of MCP waits a minute for the answer to its first request in a stream of events. */
const impatient = names.filter((name) => name !== "call a over MCP");

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => void vi.restoreAllMocks());

/** A server that gives one answer to everything. */
async function serve(type: string, body: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200, { "content-type": type }).end(body));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The error of a command, which is printed as one line. */
async function refusalOf(name: string, url: string): Promise<Error> {
  const error: unknown = await commands[name]?.(["--url", url]).catch((thrown: unknown) => thrown);
  if (error instanceof CommandError || error instanceof UsageError) return error;
  throw new Error(`${name} at ${url} did not refuse: ${String(error)}`, { cause: error });
}

describe.each(["", "foo", "ftp://127.0.0.1", "http://127.0.0.1:99999"])("--url %j", (url) => {
  test.each(names)("tenon %s", async (name) => {
    const error = await refusalOf(name, url);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(/^--url ".*" is not the address of a (?:service|platform); write one such as http:/);
  });
});

test.each(names)(
  "tenon %s takes no address with a user, a query or a fragment, and does not repeat it",
  async (name) => {
    for (const url of ["http://ann:hunter2@127.0.0.1", "http://127.0.0.1/?key=hunter2", "http://127.0.0.1/#hunter2"]) {
      const error = await refusalOf(name, url);
      expect([error instanceof UsageError, error.message.includes("hunter2")]).toEqual([true, false]);
    }
  },
);

describe.each([
  ["a page", "text/html", "<html>\n"],
  ["an empty object", "application/json", "{}"],
  ["null", "application/json", "null"],
  ["a list", "application/json", "[1]"],
  [
    "members of other kinds",
    "application/json",
    '{"items":[null],"services":{"a":null},"limits":3,"paths":{"/":null}}',
  ],
  ["other events", "text/event-stream", "data: {}\n\ndata: <\n\n"],
])("a program that answers %s", (kind, type, body) => {
  const refusing = kind === "a page" || kind === "null" || kind === "a list" || kind === "other events";
  test.each((type === "text/event-stream" ? impatient : names).filter((name) => refusing || !undemanding.has(name)))(
    "tenon %s",
    async (name) => {
      const { message } = await refusalOf(name, await serve(type, body));
      expect(message).toMatch(/is this a tenon (?:service|platform)\?$|^The service has no tool "a"|^.*: .*MCP/);
      expect(message).not.toContain("\n");
    },
  );
});

test.each(impatient)("tenon %s at a program that speaks no HTTP, or ends its answer early", async (name) => {
  for (const bytes of [
    "SSH-2.0-server\r\n",
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9\r\n\r\n{",
  ]) {
    const server = listen((socket) => socket.once("data", () => socket.end(bytes)).on("error", () => {}));
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const { message } = await refusalOf(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(message).not.toContain("\n");
  }
});

test.each(["call a", "call a over MCP", "queue", "schedules", "platform send", "platform fork"])(
  "tenon %s says when TENON_TOKEN is not a token, and does not repeat it",
  async (name) => {
    vi.stubEnv("TENON_TOKEN", "hunter2\nx-other: 1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { message } = await refusalOf(name, await serve("application/json", "{}"));
    expect(message).toContain("TENON_TOKEN is not a token");
    expect(message).not.toContain("hunter2");
  },
);

test("a replay on a port that is in use says so", async () => {
  const port = new URL(await serve("text/plain", "")).port;
  const file = join(temporaryFolder({ "jobs.jsonl": "" }), "jobs.jsonl");
  await expect(platform(["replay", file, "--port", port])).rejects.toThrow(
    new CommandError(`Port ${port} on 127.0.0.1 is in use. Choose another one, or 0 for any that is free.`),
  );
});
