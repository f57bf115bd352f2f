import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseFaults } from "../../../cli/local-platform/routes/fault-switch.ts";
import type { JobNews } from "../../../cli/local-platform/jobs/job-news.ts";
import { exchangesOf, servicesIn } from "../../../cli/local-platform/traffic/recorded-services.ts";
import type { RecordedExchange } from "../../../cli/local-platform/traffic/recorder.ts";
import { readRecording, startReplay } from "../../../cli/local-platform/traffic/replay.ts";
import { loggingInit } from "../../../runtime/telemetry/log/logging.ts";
import { fastClock } from "../../support/fast-clock.ts";
import { jobOf, jobRecord, localPlatform, submit, worker } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { launch } from "../batch/launch.ts";

loggingInit({ write() {} });

const golden = join(import.meta.dirname, "eight-jobs.jsonl");
const contents: readonly (readonly [content: unknown, type?: string])[] = [
  [{ text: "hi" }],
  [{ text: "hi", err: "value" }],
  [{ text: 5 }],
  ["plain", "text/plain"],
  [{ text: "hi", kind: "bin" }],
  [{ text: "hi", err: "system" }],
  [{ text: "hi", kind: "str" }],
  [{ text: "hi", err: "exit" }],
];

/** The part that is the same in every recording of the same jobs. */
function stable(file: string): string {
  const lines = readRecording(file).flatMap(({ request, answer }) => {
    const isNothing = request.path.includes("/next_job") && answer.status === 204;
    if (isNothing || request.path.includes("/lease")) return [];
    const { json } = request;
    const body = typeof json === "object" && json !== null ? { ...json } : undefined;
    if (body !== undefined && "timestamp" in body) body.timestamp = "2026-01-01T00:00:00.000Z";
    if (body !== undefined && "stacktrace" in body) body.stacktrace = [];
    return [
      {
        at: "2026-01-01T00:00:00.000Z",
        ms: 1,
        request: { ...request, ...(body !== undefined && { json: body }) },
        answer,
      },
    ];
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * The observed wire sequence of eight jobs on the real platform, with what was decided otherwise: see
 * test/fronts/batch/wire-sequence.test.ts. The recording is the golden file, and is then played to the same worker.
 */
test("eight jobs are recorded as they always were, and the recording plays them again", async () => {
  const record = join(temporaryFolder(), "record.jsonl");
  const platform = await localPlatform({ record });
  const service = await platform.register({ definition: { name: "Batch" } });
  const process_ = launch({ PLATFORM_BASE_URL: platform.baseUrl(service.urn) }, [], temporaryFolder());
  const states: unknown[] = [];
  for (const [n, [content, type = "application/json"]] of contents.entries()) {
    const id = jobOf(await submit(platform, "batch", content, { "job-id": `job-${n + 1}`, "content-type": type }));
    states.push((await jobRecord(platform, id, 20))["status"]);
  }
  expect(states).toEqual(["succeeded", "failed", "failed", "failed", "succeeded", "error", "succeeded", "error"]);
  process_.kill("SIGTERM");
  expect((await process_.ended).code).toBe(0);
  await platform.stop();

  expect(readFileSync(record, "utf8")).not.toMatch(/tpj_|Bearer [^[]/);
  // Callers' own calls are recorded as well; the golden file has those of the worker.
  const wire = stable(record)
    .split("\n")
    .filter((line) => /"path":"\/batch\//.test(line))
    .map((line) => `${line}\n`)
    .join("");
  if (process.env["UPDATE"] === "1") writeFileSync(golden, wire);
  expect(wire).toBe(readFileSync(golden, "utf8"));

  const replay = await startReplay(readRecording(golden));
  const again = await launch({ PLATFORM_BASE_URL: replay.url }, [], temporaryFolder()).ended;
  await replay.finished;
  await replay.stop();
  expect([again.code, replay.differences()]).toEqual([0, []]);
});

test("a replay tells what is otherwise", async () => {
  const replay = await startReplay(readRecording(golden));
  const { headers } = await fetch(`${replay.url}/next_job`);
  const own = { authorization: headers.get("authorization") ?? "", "job-attempt": "1", "job-lease": "another" };
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(replay.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...own },
      body: JSON.stringify(body),
    });
  await post("/events/urn:platform:job:job-1", { name: "else" });
  await post("/results/urn:platform:job:unknown", {});
  await fetch(`${replay.url}/artifacts/urn:platform:artifact:x`);
  await replay.stop();
  const told = replay.differences();
  expect(told[0]).toMatch(
    /^An event of urn:platform:job:job-1 has job-lease "another", recorded was "\[lease \d+\]"\.$/,
  );
  expect(told[1]).toMatch(/^An event of urn:platform:job:job-1 is \{"name":"else"\}, recorded was \{"\$schema":/);
  expect(told[2]).toBe("The result of urn:platform:job:unknown is not in the recording: {}");
  expect(told[3]).toBe("GET /artifacts/urn:platform:artifact:x is not in the recording.");
  expect(told[4]).toBe("urn:platform:job:job-2 was not asked for.");
  expect(told.at(-1)).toMatch(/^POST \/results\/urn%3Aplatform%3Ajob%3Ajob-8 is missing: /);
});

test("a recording that is none is refused with its line", () => {
  const file = join(temporaryFolder({ "record.jsonl": '\n{"at":"x"}\n' }), "record.jsonl");
  expect(() => readRecording(file)).toThrow(`Line 2 of ${file} is not a recorded exchange.`);
});

test("with every fault at once: each job ends once, with its own result, and its events in order", async () => {
  const faults = parseFaults("drop=0.05,dup=0.1,delay=5ms,kill-lease=0.03,seed=3");
  const platform = await localPlatform({ faults, leaseSeconds: 3, services: [{ definition: { name: "demo" } }] });
  const news: JobNews[] = [];
  platform.onNews((one) => void news.push(one));
  worker(
    platform,
    "demo",
    ({ n }: { n: number }, job) => {
      job.report.step("one", () => {});
      return { double: n * 2 };
    },
    { concurrency: 8, clock: fastClock(20) },
  );
  const jobs = Array.from({ length: 60 }, async (_, n) => {
    const record = await jobRecord(platform, jobOf(await submit(platform, "demo", { n })), 60);
    const isPoisoned =
      record["status"] === "error" && record["error-kind"] === "interrupted" && record["attempt"] === 3;
    return isPoisoned ? "poisoned" : record["result-content"];
  });
  const results = await Promise.all(jobs);
  expect(results).toEqual(results.map((result, n) => (result === "poisoned" ? result : { double: n * 2 })));
  expect(results.filter((result) => result === "poisoned").length).toBeLessThan(10);
  const ends = news.flatMap((one) => (one.kind === "end" ? [one.id] : []));
  expect([ends.length, new Set(ends).size]).toEqual([60, 60]);
  for (const id of ends) {
    const sequence = news.flatMap((one) => (one.kind === "event" && one.id === id ? [one.event.sequence] : []));
    expect(sequence).toEqual(sequence.toSorted((one, other) => one - other));
  }
});

test.each([
  ["drop=2", "drop"],
  ["drop", "does not know"],
  ["lose=0.1", "does not know"],
  ["delay=soon", "delay must be a time"],
  ["seed=x", "seed must be"],
])("--fault %s is refused", (text, reason) => {
  expect(() => parseFaults(text)).toThrow(reason);
});

test("a recording of several services: each worker plays its own part", () => {
  const exchange = (path: string, status = 200): RecordedExchange => ({
    at: "2026-01-01T00:00:00Z",
    ms: 1,
    request: { method: "GET", path, headers: {} },
    answer: { status, headers: {} },
  });
  const [prime, list, upload] = [
    exchange("/prime/next_job?wait=20"),
    exchange("/list/next_job"),
    exchange("/list/artifacts"),
  ];
  const recording = [prime, list, exchange("/services2/prime/jobs"), exchange("/idle/next_job", 204), upload];
  expect(servicesIn(recording)).toEqual(["list", "prime"]);
  expect(exchangesOf(recording, "list")).toEqual([list, upload]);
});
