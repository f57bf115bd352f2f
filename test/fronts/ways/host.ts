// Serves the same tools in one of the ways to serve: `host.ts WAY`, on Node, Deno or Bun. Prints its address, and what
// happens in the tool `wait`, a line each.
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BinaryResult } from "../../../runtime/job/binary-result.ts";
import { ValueError } from "../../../runtime/base/errors.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { limitsOf } from "../../../runtime/job/limits/limits-of.ts";
import { Service } from "../../../runtime/service/service.ts";
import { defineTool } from "../../../runtime/service/tools/registry.ts";
import { createFetchHandler } from "../../../runtime/start/create-fetch-handler.ts";
import { registerMcp } from "../../../runtime/start/register-mcp.ts";
import { startLambdaServer } from "../../../runtime/start/start.ts";
import { type FakeTool, fakeTool } from "../../support/fake-tool.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

/** The parts of Deno and Bun that are used. */
interface Hosts {
  readonly Deno?: {
    serve(options: object, handle: Fetch): { readonly addr: { readonly port: number } };
  };
  readonly Bun?: { serve(options: object): { readonly port: number } };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function define(call: (request: never, job: JobContext) => unknown, fake: FakeTool): void {
  const { definition, functions } = fakeTool(call, fake);
  defineTool(definition, functions);
}

const named = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;
const sized = { type: "object", properties: { size: { type: "integer" } }, required: ["size"] } as const;

/** Waits until its job is cancelled. */
const wait = ({ id }: { readonly id: string }, job: JobContext): Promise<string> =>
  new Promise((resolve) => {
    say(`began ${id}`);
    job.signal.addEventListener("abort", () => {
      say(`aborted ${id}`);
      resolve("aborted");
    });
  });

define((request) => request, { name: "echo" });
define(() => 7, { name: "seven", request: null });
define(() => undefined, { name: "silent", resultKind: "none" });
define(({ size }: { readonly size: number }) => "x".repeat(size), {
  name: "long",
  request: sized,
  resultKind: "text",
});
define(() => new BinaryResult(Buffer.from("<b>bold</b>"), "text/html"), { name: "page", resultKind: "binary" });
define(({ size }: { readonly size: number }) => new BinaryResult(pieces(size), "application/octet-stream"), {
  name: "pieces",
  request: sized,
  resultKind: "binary",
});
define(
  () => {
    throw new ValueError("This is your mistake.");
  },
  { name: "refuse" },
);
define(
  () => {
    throw new Error("A secret of the tool.");
  },
  { name: "fail" },
);
define(
  async (_: object, { report }: JobContext) => {
    await report.step("one", async () => {});
    await Promise.resolve();
    await report.step("two", async () => {});
    return { steps: 2 };
  },
  { name: "steps" },
);
define(wait, { name: "wait", request: named, resultKind: "text" });
define(wait, { name: "kept", request: named, resultKind: "text", definition: { keep: true } });
define(wait, {
  name: "queued",
  request: named,
  resultKind: "text",
  definition: { limit: { jobs: 1, per: "request.id", beyond: "wait" } },
  functions: { limits: limitsOf },
});
define(() => "open to few", { name: "scoped", resultKind: "text", definition: { scopes: ["more"] } });

async function* pieces(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= 1000) {
    await Promise.resolve();
    yield Buffer.alloc(Math.min(left, 1000), "p");
  }
}

const service = new Service({ name: "Ways", version: "1.2.3", description: "The same in every way." });

function overNode(fetch: Fetch): void {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  server.listen(0, "127.0.0.1", () => say(`port ${(server.address() as AddressInfo).port}`));
}

const ways: Readonly<Record<string, () => void>> = {
  server: () =>
    void startLambdaServer(service, { host: "127.0.0.1" }).then(({ url }) => say(`port ${new URL(url).port}`)),
  handler: () => overNode(createFetchHandler(service)),
  prefixed: () => overNode(createFetchHandler(service, { basePath: "/api" })),
  registered() {
    const app = new Hono();
    registerMcp(app, service);
    overNode(app.fetch);
  },
  deno() {
    const handle = createFetchHandler(service);
    const { Deno: deno } = globalThis as Hosts;
    say(
      `port ${deno?.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => handle(request)).addr.port}`,
    );
  },
  bun() {
    const handle = createFetchHandler(service);
    const { Bun: bun } = globalThis as Hosts;
    say(`port ${bun?.serve({ port: 0, hostname: "127.0.0.1", fetch: (request: Request) => handle(request) }).port}`);
  },
};

// The words behind it are flags of the server.
const [way = ""] = process.argv.splice(2, 1);
ways[way]?.();
