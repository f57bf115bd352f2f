import { Hono } from "hono";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Service } from "../../runtime/service/service.ts";
import { clearRegistry, defineTool } from "../../runtime/service/tools/registry.ts";
import { createFetchHandler } from "../../runtime/start/create-fetch-handler.ts";
import { registerMcp } from "../../runtime/start/register-mcp.ts";
import { flushLogs, loggingInit } from "../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../support/fake-tool.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { legacyBody } from "./mcp/raw-http.ts";

interface App {
  ask(): Promise<Response>;
  stop(): Promise<void>;
}

const post = (path: string, body: string): Request =>
  new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body,
  });
const call = legacyBody("tools/call", { name: "look", arguments: {} });

const apps: readonly (readonly [name: string, open: (service: Service) => App])[] = [
  [
    "registerMcp",
    (service) => {
      const app = new Hono();
      const { stop } = registerMcp(app, service);
      return { ask: async () => app.fetch(post("/mcp", call)), stop };
    },
  ],
  [
    "createFetchHandler, MCP",
    (service) => {
      const handler = createFetchHandler(service);
      return { ask: () => handler(post("/mcp", call)), stop: () => handler.stop() };
    },
  ],
  [
    "createFetchHandler, REST",
    (service) => {
      const handler = createFetchHandler(service);
      return { ask: () => handler(post("/tool/look", "{}")), stop: () => handler.stop() };
    },
  ],
];

let said: string[];
let log: string[];
beforeEach(() => {
  said = [];
  log = [];
  loggingInit({ level: "WARNING", write: (line) => log.push(line) });
  // A store that stays locked would keep the second attempt from opening it.
  vi.stubEnv("TENON_STORE", `sqlite:${join(temporaryFolder(), "jobs.db")}`);
  const { definition, functions } = fakeTool(() => said.push("job"), { name: "look" });
  defineTool(definition, functions);
});
afterEach(() => {
  vi.unstubAllEnvs();
  clearRegistry();
});

describe.each(apps)("%s", (_name, open) => {
  test("a call waits for onStart, which runs once; stop awaits onStop", async () => {
    const gate = Promise.withResolvers<void>();
    const app = open(
      new Service({
        name: "Hooks",
        version: "1",
        async onStart() {
          said.push("onStart");
          await gate.promise;
          said.push("open");
        },
        async onStop() {
          said.push("onStop");
          await Promise.resolve();
          said.push("closed");
        },
      }),
    );
    const answers = Promise.all([app.ask(), app.ask()]);
    await expect.poll(() => said).toEqual(["onStart"]);
    gate.resolve();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
    await app.stop();
    expect(said).toEqual(["onStart", "open", "job", "job", "onStop", "closed"]);
  });

  test("stopped twice at the same time: onStop runs once, and both wait for it", async () => {
    const onStop = async (): Promise<void> => {
      said.push("onStop");
      await new Promise(setImmediate);
      said.push("closed");
    };
    const app = open(new Service({ name: "Hooks", version: "1", onStop }));
    expect((await app.ask()).status).toBe(200);
    await Promise.race([app.stop(), app.stop()]);
    expect(said).toEqual(["job", "onStop", "closed"]);
    await app.stop();
    expect(said).toEqual(["job", "onStop", "closed"]);
  });

  test("where onStart fails, a call is answered 503 and tries again", async () => {
    let fails = true;
    const app = open(
      new Service({
        name: "Hooks",
        version: "1",
        async onStart() {
          said.push("onStart");
          // registerMcp starts at once: the first call comes while it runs.
          await new Promise(setImmediate);
          if (fails) throw new Error("no database");
        },
        onStop: () => void said.push("onStop"),
      }),
    );
    const refused = await app.ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await refused.text()).not.toContain("no database");
    fails = false;
    expect((await app.ask()).status).toBe(200);
    await app.stop();
    expect(said).toEqual(["onStart", "onStart", "job", "onStop"]);
    await flushLogs();
    expect(log.join("")).toContain("served: The service does not start, because its onStart failed: no database");
  });

  test("a stop after a failed start has nothing to stop", async () => {
    const app = open(
      new Service({
        name: "Hooks",
        version: "1",
        async onStart() {
          await new Promise(setImmediate);
          throw new Error("no database");
        },
        onStop: () => void said.push("onStop"),
      }),
    );
    expect((await app.ask()).status).toBe(503);
    await app.stop();
    expect(said).toEqual([]);
  });
});
