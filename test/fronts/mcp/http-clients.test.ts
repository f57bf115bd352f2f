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
      expect(own.reported).toEqual([]);
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
    expect((await client.callTool("echo", { text: "still there" })).content).toEqual([{ type: "text", text: "still there" }]);
    await client.close();
  } finally {
    await own.stop();
  }
});

describe("pages", () => {
  test.each(clientKinds)("client %s walks through all of them", async (kind) => {
    const own = await startHttpService({ pageSize: 4 });
    try {
      const client = await connect(kind, { url: own.url });
      const first = await client.listTools(undefined);
      // Client 2.4 collects the pages itself.
      const names = first.tools.map((tool) => tool["name"]);
      for (let cursor = first.nextCursor; cursor !== undefined; ) {
        const page = await client.listTools(cursor);
        names.push(...page.tools.map((tool) => tool["name"]));
        cursor = page.nextCursor;
      }
      expect(new Set(names).size).toBe(names.length);
      expect(names).toHaveLength(15);
      await client.close();
    } finally {
      await own.stop();
    }
  });
});

describe("Authorization", () => {
  const headers = { Authorization: "Bearer caller-canary" };

  test.each([
    ["on the platform it is the job's token", true, "Bearer caller-canary"],
    ["elsewhere it is the caller's, and dropped", false, undefined],
  ])("%s", async (_, onPlatform, expected) => {
    const own = await startHttpService({ onPlatform });
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
