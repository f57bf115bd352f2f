import { expect, onTestFinished, test } from "vitest";
import type { LocalPlatform } from "../../../cli/local-platform/start-local-platform.ts";
import { ValueError } from "../../../runtime/base/errors.ts";
import { BinaryResult } from "../../../runtime/job/binary-result.ts";
import type { JobContext } from "../../../runtime/executor/run/job-context.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../support/fake-tool.ts";
import { jobOf, jobRecord, localPlatform, submit } from "../../support/local-platform.ts";
import { serve, type TestServer } from "../../support/serve.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

loggingInit({ write() {} });

interface Request {
  readonly text?: string;
  readonly after?: "wait" | "fail" | "bug";
}

interface Scene {
  readonly platform: LocalPlatform;
  readonly server: TestServer;
  readonly open: PromiseWithResolvers<void>;
}

/** A REST service that the platform calls. */
async function scene(leaseSeconds = 15): Promise<Scene> {
  const platform = await localPlatform({ leaseSeconds, services: [{ definition: { name: "rest" } }] });
  const open = deferred();
  const tool = fakeTool(
    async ({ text = "", after }: Request, job: JobContext) => {
      job.report.step("working", () => {});
      if (after === "fail") throw new ValueError("not like this");
      if (after === "bug") throw new TypeError("a secret");
      if (after === "wait") {
        await Promise.race([open.promise, new Promise((_, reject) => job.signal.addEventListener("abort", reject))]);
      }
      return new BinaryResult(
        "text/x-loud",
        `${text.toUpperCase()} ${String(job.jobAuthorization?.startsWith("Bearer tpj_"))}`,
      );
    },
    { resultKind: "binary" },
  );
  const env = { PLATFORM_BASE_URL: platform.baseUrl("rest"), PLATFORM_SPOOL_DIR: temporaryFolder() };
  const server = await serve([tool], {}, env, []);
  onTestFinished(async () => {
    open.resolve();
    await server.stop();
  });
  await platform.register({ definition: { name: "rest" }, url: server.url });
  return { platform, server, open };
}

test("called with the job's token; its events, results and errors arrive", async () => {
  const { platform } = await scene();
  const answered = await submit(platform, "rest", { text: "hi" }, { timeout: "20" });
  expect([answered.status, answered.headers.get("content-type"), await answered.text()]).toEqual([
    200,
    "text/x-loud",
    "HI true",
  ]);
  const id = jobOf(answered);
  const events = await (await fetch(`${platform.url}/jobs/${id}/events`)).text();
  expect(events).toContain('"type":"platform.job.result"');
  const failed = await jobRecord(platform, jobOf(await submit(platform, "rest", { after: "fail" })), 20);
  expect(failed).toMatchObject({ status: "failed", "error-kind": "user-input", "error-message": "not like this" });
  const bug = await jobRecord(platform, jobOf(await submit(platform, "rest", { after: "bug" })), 20);
  expect(bug).toMatchObject({ status: "error", "error-kind": "system" });
  expect(JSON.stringify(bug)).not.toContain("secret");
});

test("one that takes longer than a lease keeps its job, and is told of a cancellation", async () => {
  const { platform, open } = await scene(0.3);
  const slow = jobOf(await submit(platform, "rest", { text: "slow", after: "wait" }));
  const other = jobOf(await submit(platform, "rest", { text: "other", after: "wait" }));
  const states: string[] = [];
  platform.onNews((news) => {
    if (news.kind === "state") states.push(news.state.status);
  });
  // Three leases long.
  expect((await jobRecord(platform, slow, 1))["attempt"]).toBe(1);
  expect((await fetch(`${platform.url}/jobs/${other}`, { method: "DELETE" })).status).toBe(202);
  open.resolve();
  expect(await jobRecord(platform, slow, 20)).toMatchObject({ status: "succeeded", attempt: 1 });
  expect(await jobRecord(platform, other)).toMatchObject({ status: "cancelled", attempt: 1 });
  expect(states.filter((state) => state === "released")).toEqual([]);
});

test("a service that is not there spends no attempt; it has its job when it comes", async () => {
  const platform = await localPlatform({ services: [{ definition: { name: "rest" }, url: "http://127.0.0.1:1" }] });
  const id = jobOf(await submit(platform, "rest", { text: "late" }));
  const released = new Promise<void>((resolve) => {
    platform.onNews((news) => {
      if (news.kind === "state" && news.state.status === "released") resolve();
    });
  });
  await released;
  const tool = fakeTool(({ text = "" }: Request) => ({ text }));
  const server = await serve([tool]);
  onTestFinished(() => server.stop());
  await platform.register({ definition: { name: "rest" }, url: server.url });
  expect(await jobRecord(platform, id, 20)).toMatchObject({
    status: "succeeded",
    attempt: 1,
    "result-content": { text: "late" },
  });
});

test("several tools: chosen by name or by the $schema of the request", async () => {
  const paths: string[] = [];
  const tools = ["one", "two"].map((name) =>
    fakeTool(
      () => {
        paths.push(name);
        return { name };
      },
      { name, path: `/tool/${name}` },
    ),
  );
  const server = await serve(tools);
  onTestFinished(() => server.stop());
  const definition = {
    name: "many",
    tools: ["one", "two"].map((name) => ({
      name,
      path: `/tool/${name}`,
      "request-schema": { properties: { $schema: { const: `urn:example:${name}` } } },
    })),
  };
  const platform = await localPlatform({ services: [{ definition, url: server.url }] });
  const run = async (content: object, query = ""): Promise<unknown> => {
    const response = await fetch(`${platform.url}/services2/many/jobs${query}`, {
      method: "POST",
      body: JSON.stringify(content),
      headers: { "content-type": "application/json", timeout: "20" },
    });
    return response.json();
  };
  expect(await run({}, "?tool=two")).toEqual({ name: "two" });
  expect(await run({ $schema: "urn:example:one" })).toEqual({ name: "one" });
  expect(await run({ a: 1, $schema: "urn:example:one" })).toEqual({ name: "one" });
  expect(await run({})).toMatchObject({ status: 400, detail: expect.stringContaining("Its tools: one, two.") });
});
