import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { readConfig, type Environment } from "../../../../../runtime/service/config/config.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { getJobContext, type JobContext } from "../../../../../runtime/executor/run/job-context.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import type { JobUrn, Submission } from "../../../../../runtime/job/job.ts";
import { currentJob } from "../../../../../runtime/job/current-job.ts";
import { installOutbound } from "../../../../../runtime/outside/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../../../../../runtime/service/config/outbound-policy.ts";
import { platformSettings, type PlatformSettings } from "../../../../../runtime/service/config/platform-settings.ts";
import { runTestFile } from "../../../../../runtime/start/run-test-file.ts";
import { Service } from "../../../../../runtime/service/service.ts";
import { fakePlatform, type FakePlatform } from "../../../../support/fake-platform.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

let platform: FakePlatform;
let settings: PlatformSettings;
beforeEach(async () => {
  platform = await fakePlatform();
  settings = settingsOf({ PLATFORM_BASE_URL: `${platform.url}/` });
});
afterEach(() => platform.close());

function settingsOf(env: Environment, flags: readonly string[] = []): PlatformSettings {
  return platformSettings(readConfig(env, flags));
}

const run = async (
  call: (request: { text: string }, job: JobContext) => unknown,
  submissions: readonly Partial<Submission>[] = [{}],
): Promise<unknown[]> => {
  const tool = fakeTool(call);
  const executor = createExecutor({ tools: [tool], store: createMemoryStore(), platform: settings });
  const outcomes = await Promise.all(
    submissions.map((submission) => executor.start({ tool, input: {}, ...submission }).done),
  );
  await executor.drain(0);
  return outcomes.map((outcome) =>
    outcome.state === "succeeded" && outcome.result.kind === "json" ? JSON.parse(outcome.result.json) : outcome,
  );
};

test("the client is made once per job", async () => {
  const [same] = await run((_, job) => job.platform === job.platform && job.platform === getJobContext()?.platform);
  expect(same).toBe(true);
});

test("a job never carries another's token, also on connections that they share", async () => {
  const policy = resolveOutboundPolicy({ PLATFORM_BASE_URL: platform.url });
  onTestFinished(installOutbound({ job: () => currentJob.getStore(), policy }));
  const names = Array.from({ length: 60 }, (_, n) => `j${n}`);
  for (const name of names) platform.put(name, name);
  const results = await run(
    async ({ text }, job) => {
      const artifact = await job.platform.getArtifact(`urn:platform:artifact:${text}`);
      const content = Buffer.from(await artifact.bytes()).toString();
      await job.platform.addAspect(artifact.urn, { $schema: "urn:s", text });
      return content;
    },
    names.map((name) => ({
      input: { text: name },
      id: `urn:platform:job:${name}` as JobUrn,
      authorization: `Bearer ${name}`,
    })),
  );
  expect(results).toEqual(names);
  expect(platform.calls).toHaveLength(180);
  for (const { url, headers } of platform.calls) {
    const name = /artifact%3A(j\d+)/.exec(url)?.[1];
    expect(headers).toMatchObject({ authorization: `Bearer ${name}`, "platform-job-id": `urn:platform:job:${name}` });
  }
});

test("a job without a token sends none, although another one was there before", async () => {
  platform.put("one", "Hello");
  const get = (_: unknown, job: JobContext): Promise<unknown> => job.platform.getArtifact("urn:platform:artifact:one");
  await run(async (...args) => void (await get(...args)), [{ authorization: "Bearer first" }]);
  await run(async (...args) => void (await get(...args)));
  expect(platform.calls.map(({ headers }) => headers.authorization)).toEqual(["Bearer first", undefined]);
});

test.each([
  ["without a platform", { PLATFORM_BASE_URL: "" }, []],
  ["with --test-without-sidecar", { PLATFORM_BASE_URL: "the fake one" }, ["--test-without-sidecar"]],
])("%s the client works on a local folder, and nothing is asked over HTTP", async (_, env, flags) => {
  const folder = temporaryFolder({ "local/artifacts/a": "Hello" });
  const url = env.PLATFORM_BASE_URL && platform.url;
  settings = settingsOf({ PLATFORM_BASE_URL: url, TENON_LOCAL_DIR: join(folder, "local") }, flags);
  const [result] = await run(async (_, job) => {
    const artifact = await job.platform.getArtifact("urn:platform:artifact:a");
    const names: (string | undefined)[] = [artifact.name];
    for await (const service of job.platform.listServices()) names.push(service.name);
    return names;
  });
  expect([result, platform.calls]).toEqual([["a"], []]);
});

test("a tool that uses artifacts runs under --test-file", async () => {
  const request = '{ "text": "urn:platform:artifact:in.txt" }';
  const folder = temporaryFolder({ "local/artifacts/in.txt": "Hello", "request.json": request });
  const tool = fakeTool(async ({ text }: { text: string }, job: JobContext) => {
    const artifact = await job.platform.getArtifact(text);
    await using file = await artifact.asLocalFile();
    const copy = await job.platform.uploadArtifact({ name: "copy", file: file.path });
    return { size: copy.size };
  });
  const served = { service: new Service({ name: "Copies" }), version: "1", tools: [tool] };
  const file = join(folder, "request.json");
  const ran = await runTestFile(
    file,
    served,
    readConfig({ TENON_LOCAL_DIR: join(folder, "local") }, ["--test-file", file]),
  );
  expect(ran).toEqual({ code: 0, output: '{"size":5}\n', problem: "" });
});
