import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeCalls } from "./calls.ts";
import { clientKinds, connect, type TestClient } from "./clients.ts";
import { startHttpService, type HttpService } from "./http-service.ts";

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.stop());

describe.each(clientKinds)("client %s over HTTP", (kind) => {
  let client: TestClient;

  beforeAll(async () => {
    client = await connect(kind, { url: service.url });
  });
  afterAll(() => client.close());

  test("the era is the client's", () => {
    expect(client.revision).toBe(kind === "2.4 modern" ? "2026-07-28" : "2025-11-25");
  });

  describeCalls(() => client);
});

describe.each(clientKinds)("client %s that goes away", (kind) => {
  test("cancels what it started", async () => {
    const own = await startHttpService();
    try {
      const client = await connect(kind, { url: own.url });
      const call = client.callTool("wait").catch((error: unknown) => error);
      await own.witness.started.promise;
      await client.close();
      await call;
      await expect.poll(() => own.witness.aborted).toHaveLength(1);
      expect(own.witness.aborted[0]).toMatchObject({ kind: "cancelled", message: "The client cancelled the call." });
    } finally {
      await own.stop();
    }
  });
});

test("closing the stream of one call cancels that call only", async () => {
  const own = await startHttpService();
  try {
    const client = await connect("2.4 modern", { url: own.url });
    const controller = new AbortController();
    const call = client.callTool("wait", {}, { signal: controller.signal }).catch((error: unknown) => error);
    await own.witness.started.promise;
    controller.abort();
    expect(await call).toBeInstanceOf(Error);
    await expect.poll(() => own.witness.aborted).toHaveLength(1);
    expect((await client.callTool("echo", { text: "still there" })).content).toEqual([
      { type: "text", text: "still there" },
    ]);
    await client.close();
  } finally {
    await own.stop();
  }
});

describe("Authorization", () => {
  const headers = { Authorization: "Bearer caller-canary" };

  test.each([
    ["on the platform it is the job's token", { PLATFORM_BASE_URL: "http://127.0.0.1:1" }, "Bearer caller-canary"],
    ["elsewhere it is the caller's, and dropped", {}, undefined],
  ])("%s", async (_, env, expected) => {
    const own = await startHttpService(env as Record<string, string>);
    try {
      for (const kind of clientKinds) {
        const client = await connect(kind, { url: own.url, headers });
        await client.callTool("context");
        await client.close();
      }
      expect(own.witness.contexts.map((context) => context.authorization)).toEqual([expected, expected, expected]);
    } finally {
      await own.stop();
    }
  });
});
