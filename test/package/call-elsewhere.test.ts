import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bareEnv } from "../support/bare-env.ts";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

/** A server of another make and of the revision before. */
function otherServer(): McpServer {
  const server = new McpServer({ name: "other", version: "1" });
  server.registerTool("steps", { description: "Works." }, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken ?? 0;
    for (const [index, message] of ["half", undefined].entries())
      await sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress: index + 1, ...(message !== undefined && { message }) },
      });
    return {
      content: [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ],
    };
  });
  server.registerTool("picture", { description: "Draws." }, async () => ({
    content: [{ type: "image", data: "iVBORw==", mimeType: "image/png" }],
  }));
  server.registerTool("refuse", { description: "Refuses." }, async () => ({
    content: [{ type: "text", text: "- not today" }],
    isError: true,
  }));
  server.registerTool("wait", { description: "Waits." }, async ({ signal }) => {
    started.resolve();
    await once(signal, "abort");
    cancelled.resolve();
    return { content: [] };
  });
  return server;
}
const started = Promise.withResolvers<void>();
const cancelled = Promise.withResolvers<void>();

let user: PackedProject;
let http: Server;
let url: string;
const asked: (string | undefined)[] = [];
beforeAll(async () => {
  user = packedProject({});
  const transports = new Map<string, StreamableHTTPServerTransport>();
  http = createServer(async (request, response) => {
    asked.push(request.headers.authorization);
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? transports.get(id) : undefined;
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: () => "one",
        onsessioninitialized: (made) => void transports.set(made, transport),
      });
    if (known === undefined) await otherServer().connect(transport as never);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
  user.dispose();
});

function start(...words: readonly string[]): ReturnType<typeof spawn> {
  return spawn(process.execPath, [join(user.root, "node_modules/tenon/dist/cli/main.js"), "call", ...words], {
    cwd: user.root,
    env: { ...bareEnv(), NO_COLOR: "1", TENON_TOKEN: "secret" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function call(tool: string, ...words: readonly string[]): Promise<readonly [number | null, string, string]> {
  const child = start(tool, "--url", url, ...words);
  const ended = once(child, "close") as Promise<[number | null]>;
  const { stdout, stderr } = child as { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream };
  const [out, said, [code]] = await Promise.all([text(stdout), text(stderr), ended]);
  return [code, out, said];
}

test("tenon call speaks with servers of other makes and older revisions, with nothing else installed", async () => {
  expect(existsSync(join(user.root, "node_modules/@modelcontextprotocol/client"))).toBe(false);
  expect(await call("steps")).toEqual([0, "one\ntwo\n", "  · half\n  · 2\n"]);
  expect(new Set(asked)).toEqual(new Set(["Bearer secret"]));
  const file = join(user.root, "picture.png");
  expect(await call("picture", "-o", file)).toEqual([0, "", ""]);
  expect(existsSync(file)).toBe(true);
  expect(await call("refuse")).toEqual([1, "", "- not today\n"]);
  expect(await call("other")).toEqual([
    1,
    "",
    'tenon: The service has no tool "other". Its tools: steps, picture, refuse, wait\n',
  ]);
});

test("Ctrl-C cancels the job of the server", async () => {
  const child = start("wait", "--url", url);
  const ended = once(child, "close") as Promise<[number | null]>;
  await started.promise;
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(1);
  await cancelled.promise;
}, 20_000);
