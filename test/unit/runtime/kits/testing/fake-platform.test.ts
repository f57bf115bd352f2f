import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { ValueError } from "../../../../../runtime/base/errors.ts";
import type { JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import {
  AmbiguousRequestError,
  ResourceNotFoundError,
  ServiceJobError,
} from "../../../../../runtime/outside/platform/sidecar/platform-errors.ts";
import { clearRegistry } from "../../../../../runtime/service/tools/registry.ts";
import { callTool, fakePlatform } from "../../../../../runtime/kits/testing/index.ts";
import { definedTool } from "../../../../support/defined-tool.ts";

afterAll(clearRegistry);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe("fakePlatform", () => {
  test("keeps artifacts, and hands out copies", async () => {
    const platform = fakePlatform();
    const { urn, size } = await platform.uploadArtifact({ name: "a.txt", content: "one two" });
    expect([urn, size]).toEqual(["urn:platform:artifact:test-1", 7]);
    const artifact = await platform.getArtifact(urn);
    expect(Buffer.from(await artifact.bytes()).toString()).toBe("one two");
    await using file = await artifact.asLocalFile();
    expect(await readFile(file.path, "utf8")).toBe("one two");
    await platform.uploadArtifact({ name: "b.bin", content: ReadableStream.from([Buffer.from("x")]) });
    expect((await platform.artifacts()).map(({ name }) => name)).toEqual(["a.txt", "b.bin"]);
    await expect(platform.getArtifact("urn:platform:artifact:none")).rejects.toBeInstanceOf(ResourceNotFoundError);
  });

  test("keeps aspects, newest first, and their history", async () => {
    const platform = fakePlatform();
    const { urn, addMetadata, metadata } = await platform.uploadArtifact({ name: "a", content: "a" });
    await addMetadata({ $schema: "urn:s:1", n: 1 });
    await platform.addAspect(urn, { n: 2 }, { schema: "urn:s:2" });
    expect((await all(metadata())).map(({ schema }) => schema)).toEqual(["urn:s:2", "urn:s:1"]);
    const updated = await platform.updateAspect(urn, { $schema: "urn:s:1", n: 3 });
    const [only] = await all(platform.listAspects({ entity: urn, schema: "urn:s:1" }));
    expect(only).toMatchObject({ urn: updated.urn, content: { n: 3 } });
    await only?.retract();
    expect(await all(platform.listAspects({ schema: "urn:s:1" }))).toEqual([]);
  });

  test("answers for services: results, failures, events, requests", async () => {
    const platform = fakePlatform({
      services: [
        {
          name: "Echo",
          description: "Says it again",
          async run(request, { report }) {
            report({ $schema: "urn:event", half: true });
            await new Promise((resolve) => setImmediate(resolve));
            return { echo: request };
          },
        },
        { name: "Picky", run: () => Promise.reject(new ValueError("not that")) },
        { name: "Twin", urn: "urn:platform:service:1", run: () => null },
        { name: "Twin", urn: "urn:platform:service:2", run: () => null },
      ],
    });
    const echo = await platform.getServiceByName("Echo");
    expect([echo.urn, echo.description]).toEqual(["urn:platform:service:Echo", "Says it again"]);
    const job = await echo.requestJob({ n: 1 });
    expect([job.status, job.finished]).toEqual(["pending", false]);
    expect(await job.result()).toEqual({ echo: { n: 1 } });
    expect(await (await echo.requestJob({ n: 2 }, { timeout: 5 })).result()).toEqual({ echo: { n: 2 } });
    expect((await all(job.events())).map(({ type }) => type)).toEqual([
      "platform.job.event",
      "platform.job.status",
      "platform.job.result",
    ]);
    expect(platform.requests).toEqual([
      { service: "Echo", data: { n: 1 } },
      { service: "Echo", data: { n: 2 } },
    ]);
    const refused = (await platform.getServiceByName("Picky")).requestJob({}, { timeout: 5 });
    await expect((await refused).result()).rejects.toThrow("it ended as failed. It says: not that");
    await expect((await refused).result()).rejects.toBeInstanceOf(ServiceJobError);
    await expect(platform.getServiceByName("Twin")).rejects.toBeInstanceOf(AmbiguousRequestError);
    await expect(platform.getServiceByName("Ech")).rejects.toThrow("Similar ones: Echo.");
    await expect((await platform.getService("urn:x")).requestJob({})).rejects.toBeInstanceOf(ResourceNotFoundError);
    expect((await all(platform.listServices())).map(({ name }) => name)).toEqual(["Echo", "Picky", "Twin", "Twin"]);
  });

  test("events come while the job runs, so that a caller can answer them", async () => {
    const answered = Promise.withResolvers<void>();
    const platform = fakePlatform({
      services: [
        {
          name: "Desk",
          async run(_, { report }) {
            report({ $schema: "urn:event", asks: true });
            await answered.promise;
            return "done";
          },
        },
      ],
    });
    const job = await (await platform.getServiceByName("Desk")).requestJob({});
    const seen: string[] = [];
    for await (const { type } of job.events()) {
      seen.push(type ?? "");
      answered.resolve();
    }
    expect(seen).toEqual(["platform.job.event", "platform.job.status", "platform.job.result"]);
  });

  test("send gives a message to the running job, and starts no other one", async () => {
    const gate = Promise.withResolvers<void>();
    const platform = fakePlatform({
      services: [
        {
          name: "Desk",
          async run(_, { messages }) {
            await gate.promise;
            return messages;
          },
        },
      ],
    });
    const job = await (await platform.getServiceByName("Desk")).requestJob({});
    await job.send("approval", { approved: true }, { key: 1, idempotencyKey: "once" });
    await job.send("approval", { approved: true }, { key: 1, idempotencyKey: "once" });
    await job.send("note", "hi");
    gate.resolve();
    expect(await job.result()).toEqual([
      { name: "approval", message: { approved: true }, key: "1" },
      { name: "note", message: "hi" },
    ]);
    expect(platform.requests).toEqual([{ service: "Desk", data: {} }]);
    await expect(job.send("note", "late")).rejects.toMatchObject({ status: 410 });
  });

  test("is the job's platform", async () => {
    const copy = definedTool(
      async ({ urn }: { urn: string }, { platform }: JobContext) => {
        const content = (await platform.getArtifact(urn)).stream();
        return (await platform.uploadArtifact({ name: "copy", content })).urn;
      },
      { name: "copy", request: { type: "object" }, resultKind: "text" },
    );
    const platform = fakePlatform();
    const { urn } = await platform.uploadArtifact({ name: "in", content: "text" });
    const { result } = await callTool(copy, { urn }, { platform });
    expect(Buffer.from(await (await platform.getArtifact(result)).bytes()).toString()).toBe("text");
    const error = await callTool(copy, { urn }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "system", cause: { message: expect.stringContaining("the fake platform") } });
  });
});
