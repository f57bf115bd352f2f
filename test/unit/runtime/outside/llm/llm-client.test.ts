import { mkdirSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createLlmClient } from "../../../../../runtime/outside/llm/llm-client.ts";
import type { LlmOptions } from "../../../../../runtime/outside/llm/openai-types.ts";
import { flushLogs, getLogger, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { recordedJob } from "../../../../../runtime/kits/testing/index.ts";
import { importOpenaiFrom, openaiVersions } from "../../../../support/openai-versions.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const mock = new LLMock({ port: 0 });
const hello = [{ role: "user" as const, content: "hello" }];
let lines: string[] = [];

beforeAll(async () => {
  mock.onMessage("hello", { content: "Good day to you." }, { chunkSize: 5 });
  await mock.start();
});
afterAll(() => mock.stop());
beforeEach(() => {
  lines = [];
  loggingInit({ write: (line) => lines.push(line), level: "DEBUG" });
  for (const name of ["LLM_GATEWAY_PROXY", "LLM_API_KEY", "LLM_BASE_URL"]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.doUnmock("openai");
  mock.clearRequests();
  loggingInit({ write: () => {} });
});

describe.each(openaiVersions)("with openai %i", (version, path) => {
  importOpenaiFrom(path);

  test("answers at once and in pieces, through the gateway", async () => {
    vi.stubEnv("LLM_GATEWAY_PROXY", mock.url);
    const llm = await recordedJob().job.llmClient();
    const { choices } = await llm.chat.completions.create({ model: "m", messages: hello });
    expect(choices[0]?.message.content).toBe("Good day to you.");
    const pieces: string[] = [];
    for await (const part of await llm.chat.completions.create({ model: "m", messages: hello, stream: true })) {
      pieces.push(part.choices[0]?.delta.content ?? "");
    }
    expect(pieces.filter((piece) => piece !== "")).toEqual(["Good ", "day t", "o you", "."]);
    const [request] = mock.getRequests();
    expect(request).toMatchObject({ path: "/v1/chat/completions", body: { model: "m" } });
    expect(request?.headers["x-stainless-package-version"]).toMatch(new RegExp(`^${version}\\.`));
    expect(llm.apiKey).toBe("not-needed");
  });

  test("goes where the variables and the options say, and heeds none of OpenAI's", async () => {
    vi.stubEnv("OPENAI_API_KEY", "wrong");
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1");
    vi.stubEnv("OPENAI_ORG_ID", "wrong");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-wrong: 1");
    vi.stubEnv("OPENAI_LOG", "debug");
    vi.stubEnv("LLM_API_KEY", "right");
    vi.stubEnv("LLM_BASE_URL", `${mock.url}/v1`);
    const { job } = recordedJob();
    const llm = await job.llmClient({ defaultHeaders: { "x-right": "1" } });
    await llm.chat.completions.create({ model: "m", messages: hello });
    expect([llm.apiKey, llm.organization, llm.logLevel]).toEqual(["right", null, "warn"]);
    const headers = mock.getRequests()[0]?.headers ?? {};
    expect(headers).toMatchObject({ "x-right": "1" });
    expect(Object.keys(headers).filter((name) => /wrong|organization/.test(name))).toEqual([]);
    expect(process.env["OPENAI_API_KEY"]).toBe("wrong");
    expect((await job.llmClient({ baseURL: "https://elsewhere/v1" })).baseURL).toBe("https://elsewhere/v1");
    vi.stubEnv("LLM_BASE_URL", undefined);
    expect((await job.llmClient()).baseURL).toBe("https://api.openai.com/v1");
  });

  test("ends requests when the job ends, without another try", async () => {
    const asked = vi.fn<() => void>();
    const silent = createServer(asked).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const controller = new AbortController();
    const { job } = recordedJob({ signal: controller.signal });
    const baseURL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const llm = await job.llmClient({ apiKey: "k", baseURL });
    const own = new AbortController();
    const ended = Promise.allSettled(
      [null, own.signal].map((signal) => llm.chat.completions.create({ model: "m", messages: hello }, { signal })),
    );
    await expect.poll(() => asked.mock.calls.length).toBe(2);
    own.abort();
    controller.abort(new Error("the user left"));
    const aborted = { status: "rejected", reason: { message: "Request was aborted." } };
    expect(await ended).toMatchObject([aborted, aborted]);
    await expect(llm.models.list()).rejects.toThrow("aborted");
    expect(asked).toHaveBeenCalledTimes(2);
    silent.closeAllConnections();
    silent.close();
  });

  test("tries again after a 500, says so in the job's log, and shows no key", async () => {
    mock.nextRequestError(500, { message: "busy" });
    const { job } = recordedJob();
    const options: LlmOptions = { apiKey: "sk-canary-0123456789abcdef", baseURL: `${mock.url}/v1`, logLevel: "debug" };
    const llm = await job.llmClient(options);
    await llm.chat.completions.create({ model: "m", messages: hello });
    job.logger.info({ llm }, "a careless author");
    await flushLogs();
    const text = lines.join("");
    expect(text).toContain('"details"');
    expect(JSON.parse(lines[0] ?? "{}")).toMatchObject({ job_id: job.jobId });
    expect(text).not.toContain("canary");
  });
});

test("the key of the file is used, and no log shows it", async () => {
  vi.stubEnv("HOME", temporaryFolder({ ".config/openai/api_key": "canary-of-the-file\n" }));
  const { job } = recordedJob();
  const llm = await job.llmClient();
  expect(llm.apiKey).toBe("canary-of-the-file");
  getLogger("author").info(inspect({ llm, text: "it is canary-of-the-file" }, { depth: 0 }));
  await flushLogs();
  expect(lines.join("")).toContain("[redacted]");
  expect(lines.join("")).not.toContain("canary");
});

test("a file that is a folder, and no key at all, are said", async () => {
  const folder = temporaryFolder();
  vi.stubEnv("HOME", folder);
  await expect(recordedJob().job.llmClient()).rejects.toMatchObject({ name: "LlmConfigurationError" });
  mkdirSync(join(folder, ".config/openai/api_key"), { recursive: true });
  await expect(recordedJob().job.llmClient()).rejects.toThrow(
    "The key file ~/.config/openai/api_key cannot be read (EISDIR).",
  );
});

test("without the package the error says what to install", async () => {
  vi.doMock("openai", () => {
    throw Object.assign(new Error("Cannot find package 'openai'"), { code: "ERR_MODULE_NOT_FOUND" });
  });
  await expect(createLlmClient(recordedJob().job, {}, {})).rejects.toMatchObject({
    name: "LlmPackageError",
    message: expect.stringMatching(
      /^job\.llmClient\(\) needs the package "openai", version 6 or 7\. Run npm install openai/,
    ),
  });
});
