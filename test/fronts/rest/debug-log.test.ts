import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { launchEntry } from "../../support/launch.ts";

const entry = join(inject("bundledServices"), "lambda.js");

async function recordsAt(level: string): Promise<readonly Record<string, unknown>[]> {
  const service = await launchEntry(entry, [], { PLATFORM_LOG_LEVEL: level }).listening;
  await service.post({ ms: 1, password: "swordfish", nested: { apiKey: "sk-1234567890abcdef" } });
  await service.post({ ms: -1 });
  const { stderr } = await service.stop();
  expect(stderr).not.toMatch(/swordfish|sk-1234567890abcdef/);
  return stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("requests and results are logged at DEBUG, without secrets", async () => {
  const records = (await recordsAt("DEBUG")).filter(({ msg }) => msg === "request" || msg === "result");
  const common = { level: "DEBUG", tool: "slow", job_id: expect.stringMatching(/^urn:platform:job:/) };
  expect(records).toMatchObject([
    { ...common, msg: "request", request: { ms: 1, password: "[redacted]", nested: { apiKey: "[redacted]" } } },
    { ...common, msg: "result", state: "succeeded", result: { waited: 1 } },
    { ...common, msg: "request", request: { ms: -1 } },
    { ...common, msg: "result", state: "failed", kind: "user-input", error: "ms is negative" },
  ]);
});

test("at INFO they are not", async () => {
  expect((await recordsAt("INFO")).filter(({ msg }) => msg === "request" || msg === "result")).toEqual([]);
});
