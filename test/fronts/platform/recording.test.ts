import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RecordedExchange } from "../../../cli/local-platform/traffic/recorder.ts";
import { localPlatform } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

test("a recording has the path of each call, without the secrets in its query", async () => {
  const record = join(temporaryFolder(), "record.jsonl");
  const platform = await localPlatform({ record });
  const paths = [
    "/jobs?token=hunter2-of-the-caller&limit=3",
    "/jobs?limit=3&api_key=hunter2-of-the-caller",
    "/healthz",
  ];
  for (const path of paths) await (await fetch(platform.url + path)).text();
  await platform.stop();
  const text = readFileSync(record, "utf8");
  expect(text).not.toContain("hunter2");
  const recorded = text
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as RecordedExchange).request.path);
  expect(recorded.map((path) => path.replace(/=[^&\d][^&]*/g, "=…"))).toEqual([
    "/jobs?token=…&limit=3",
    "/jobs?limit=3&api_key=…",
    "/healthz",
  ]);
});
