import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RecordedExchange } from "../../../cli/local-platform/traffic/recorder.ts";
import { fetchJob, localPlatform, submit } from "../../support/local-platform.ts";
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

test("a recording has no secret of a body or a header, and nobody else may read it", async () => {
  const record = join(temporaryFolder(), "record.jsonl");
  const platform = await localPlatform({ record });
  const secret = "hunter2-of-the-caller";
  const post = async (type: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<void> => {
    const all = { "content-type": type, ...headers };
    await (
      await fetch(`${platform.url}/services2/recorded/jobs`, { method: "POST", headers: all, body: body as string })
    ).text();
  };
  await fetchJob(platform, "recorded", 0);
  await submit(platform, "recorded", { password: secret, deep: [{ apiKey: secret, kept: "in sight" }] });
  const job = await fetchJob(platform, "recorded");
  expect(job.content).toEqual({ password: secret, deep: [{ apiKey: secret, kept: "in sight" }] });
  await post("application/x-www-form-urlencoded", `user=ann&password=${secret}`);
  await post("text/plain", `authorization: Basic ${secret}`);
  await post("application/json", `{"password":"${secret}"`);
  await post("application/octet-stream", Buffer.from(`\u0000${job.headers["authorization"]}\u0000`));
  await post("application/json", "{}", {
    "x-auth-token": secret,
    "x-goog-api-key": secret,
    referer: `http://x/?token=${secret}`,
  });
  await platform.stop();
  const text = readFileSync(record, "utf8");
  const bodies = [...text.matchAll(/"base64":"([^"]*)"/g)].map(([, base64 = ""]) =>
    Buffer.from(base64, "base64").toString(),
  );
  const token = job.headers["authorization"]?.replace("Bearer ", "") ?? "";
  expect(token.length).toBeGreaterThan(20);
  for (const written of [text, ...bodies]) {
    expect(written).not.toContain(secret);
    expect(written).not.toContain(token);
  }
  expect(bodies).not.toEqual([]);
  expect(text).toContain("in sight");
  expect(statSync(record).mode & 0o077).toBe(0);
});
