import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { launch, sidecar } from "./launch.ts";

const spooled = (folder: string): string[] => readdirSync(join(folder, ".tenon/spool"));

test("without a sidecar: one warning that names --test-file, exit code 0", async () => {
  for (const args of [[], ["--test-without-sidecar"]] as const) {
    const { code, stdout, stderr } = await launch({}, args).ended;
    expect([code, stdout]).toEqual([0, ""]);
    const records = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const reason = args.length === 0 ? "PLATFORM_BASE_URL is not set" : "--test-without-sidecar is given";
    expect(records.map(({ msg }) => msg)).toEqual([
      `There are no jobs to run: ${reason}. Run one with --test-file PATH.`,
    ]);
  }
});

test("--test-without-sidecar and --test-file speak no HTTP at all", async () => {
  const fake = await sidecar();
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "job.json"),
    JSON.stringify({
      id: "urn:platform:job:1",
      "in-content-type": "application/json",
      "in-content": { text: "x", kind: "str" },
    }),
  );
  const env = { PLATFORM_BASE_URL: fake.url };
  expect((await launch(env, ["--test-without-sidecar"], folder).ended).code).toBe(0);
  expect((await launch(env, ["--test-file", "job.json"], folder).ended).code).toBe(0);
  const silent = await launch(env, ["--test-file", "job.json", "--test-without-sidecar"], folder).ended;
  expect([silent.code, JSON.parse(silent.stdout), silent.stderr]).toEqual([
    0,
    { "content-type": "text/plain", content: Buffer.from("text").toString("base64") },
    "",
  ]);
  expect(fake.exchanges).toEqual([]);
});

test("--help, wrong flags, and which tool", async () => {
  const help = await launch({}, ["--help"]).ended;
  expect([
    help.code,
    help.stdout.includes("--concurrency N"),
    help.stdout.includes("--with-mcp"),
    help.stdout.includes("--port"),
  ]).toEqual([0, true, false, false]);
  const cases: readonly [string[], number, string][] = [
    [["--port", "1"], 2, "Unknown flag --port. Try --help."],
    [["--concurrency", "0"], 2, '--concurrency is "0"; it must be a whole number from 1. Try --help.'],
    [["--tool", "nope"], 1, 'There is no tool "nope". This service has: work, other.'],
    [
      [],
      2,
      "A batch service runs one tool, and this one has several: work, other. Name it with --tool NAME, or in the entry: startBatchService(service, worker). Try --help.",
    ],
  ];
  const ended = await Promise.all(cases.map(([args]) => launch({ TEST_TOOLS: "two" }, args).ended));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(cases.map(([, code, text]) => [code, `${text}\n`]));
});

test("on an old Node: one line that names the version it needs, whatever that Node lacks", async () => {
  const old = `delete Promise.withResolvers;
    globalThis.process = Object.create(process, { versions: { value: { node: "20.20.2" } } });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(old)}`;
  for (const args of [[], ["--help"]]) {
    const { code, stdout, stderr } = await launch({ NODE_OPTIONS, PLATFORM_BASE_URL: "http://127.0.0.1:1" }, args)
      .ended;
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      "This is Node 20.20.2, and this service needs 22.19 or later. Install a newer Node, and start it again.\n",
    ]);
  }
});

test("--print-service-description says batch", async () => {
  const { code, stdout } = await launch({}, ["--print-service-description"]).ended;
  expect([code, JSON.parse(stdout)["controller-schema"]]).toEqual([0, "urn:platform:schema.service.batch.1"]);
});

test.each([
  ["nobody answers", "connect ECONNREFUSED"],
  ["the sidecar always answers 503", "the sidecar answered 503"],
])("%s: exit code 1 after PLATFORM_FETCH_TIMEOUT, not before", async (_, reason) => {
  const fake = await sidecar();
  if (reason.includes("503")) fake.fail("fetch", 503, Infinity);
  else await fake.pause();
  const { code, stderr, ms } = await launch({ PLATFORM_BASE_URL: fake.url, PLATFORM_FETCH_TIMEOUT: "2" }).ended;
  const last = stderr.split("\n").find((line) => line.includes("the sidecar gave no usable answer: the service ends"));
  expect([code, ms > 2000, last]).toEqual([1, true, expect.stringContaining(reason)]);
  if (!reason.includes("503")) await fake.resume();
});

test.each(["marker", 410] as const)("the end by %s: exit code 0", async (how) => {
  const fake = await sidecar();
  fake.finish(how);
  expect((await launch({ PLATFORM_BASE_URL: fake.url }).ended).code).toBe(0);
});

test("SIGTERM when idle: exit code 0, also in a long poll, without waiting for its answer", async () => {
  const fake = await sidecar();
  fake.fail("fetch", "hang", Infinity);
  const service = launch({ PLATFORM_BASE_URL: fake.url });
  await fake.until((all) => all.length > 0);
  service.kill("SIGTERM");
  const before = performance.now();
  expect((await service.ended).code).toBe(0);
  // Otherwise it would wait for 30 s. The half second itself is tested with a clock: unit/…/fetch-loop.test.ts.
  expect(performance.now() - before).toBeLessThan(20_000);
});

test("SIGTERM: a running job ends and is delivered; no other is asked for", async () => {
  const fake = await sidecar();
  const gate = join(temporaryFolder(), "gate");
  fake.add({ id: "a", content: { text: "a", gate } }, { id: "b", content: { text: "b" } });
  const service = launch({ PLATFORM_BASE_URL: fake.url });
  await fake.until(() => fake.taken("event").length > 0);
  service.kill("SIGTERM");
  await expect.poll(service.said).toContain("stopping");
  writeFileSync(gate, "");
  expect((await service.ended).code).toBe(0);
  expect(fake.taken("result").map(({ id, headers }) => [id, headers["is-error"]])).toEqual([["a", "false"]]);
  expect(fake.taken("fetch").length).toBe(1);
});

test.each<[string, { leases?: number }, unknown]>([
  ["handed back where there are leases", { leases: 15 }, ["a release lease-1", "b release lease-1"]],
  ["an error where there are none", {}, ["a result draining", "b result draining"]],
])("SIGTERM: what does not end in the grace is %s", async (_, options, expected) => {
  const fake = await sidecar(options);
  fake.add({ id: "a", content: { text: "a", ms: 60_000 } }, { id: "b", content: { text: "b", err: "never" } });
  const service = launch({ PLATFORM_BASE_URL: fake.url, PLATFORM_SHUTDOWN_GRACE: "0.1" }, ["--concurrency", "2"]);
  await fake.until(() => new Set(fake.taken("event").map(({ id }) => id)).size === 2);
  service.kill("SIGTERM");
  expect((await service.ended).code).toBe(0);
  const ends = [...fake.taken("result"), ...fake.taken("release")];
  const texts = ends.map(
    ({ id, phase, headers, body }) => `${id} ${phase} ${headers["job-lease"] ?? (body as { type: string }).type}`,
  );
  expect(texts.toSorted()).toEqual(expected);
});

test("a second signal ends it at once", async () => {
  const fake = await sidecar();
  fake.add({ id: "a", content: { text: "a", ms: 60_000 } });
  const service = launch({ PLATFORM_BASE_URL: fake.url });
  await fake.until(() => fake.taken("event").length > 0);
  service.kill("SIGTERM");
  await expect.poll(service.said).toContain("stopping");
  service.kill("SIGTERM");
  expect((await service.ended).code).toBe(143);
});

test("a result that cannot be delivered: on disk at SIGTERM, and delivered by the next start with its own token", async () => {
  const fake = await sidecar();
  const folder = temporaryFolder();
  fake.add({ id: "urn:platform:job:a", content: { text: "a" }, token: "Bearer a" });
  fake.fail("result", 503, Infinity);
  const first = launch({ PLATFORM_BASE_URL: fake.url }, [], folder);
  await fake.until((all) => all.some(({ phase }) => phase === "result"));
  first.kill("SIGTERM");
  expect((await first.ended).code).toBe(0);
  expect(spooled(folder).length).toBe(1);
  fake.heal();
  fake.finish();
  const second = launch({ PLATFORM_BASE_URL: fake.url }, [], folder);
  expect((await second.ended).code).toBe(0);
  expect(
    fake
      .taken("result")
      .map(({ id, headers, body }) => [id, headers.authorization, (body as { output: string }).output]),
  ).toEqual([["urn:platform:job:a", "Bearer a", "A"]]);
  expect(spooled(folder)).toEqual([]);
});

test.each(["result", "event"] as const)("kill -9 while the sidecar takes no %s loses no result", async (phase) => {
  const fake = await sidecar();
  const folder = temporaryFolder();
  fake.add({ id: "urn:platform:job:a", content: { text: "a" } });
  fake.fail(phase, "reset", Infinity);
  const first = launch({ PLATFORM_BASE_URL: fake.url }, [], folder);
  await expect.poll(() => first.said()).toContain(`${phase} not delivered yet`);
  await expect.poll(() => spooled(folder).filter((name) => name.endsWith(".result")).length).toBe(1);
  first.kill("SIGKILL");
  expect((await first.ended).signal).toBe("SIGKILL");
  fake.heal();
  fake.finish();
  expect((await launch({ PLATFORM_BASE_URL: fake.url }, [], folder).ended).code).toBe(0);
  expect(fake.taken("result").length).toBe(1);
});

test("a lease is renewed while the event loop is blocked for longer than it lasts", async () => {
  const fake = await sidecar({ leases: 0.6 });
  const release = join(temporaryFolder(), "release");
  fake.add({ id: "a", content: { text: "a", block: release } });
  fake.finish();
  const worker = launch({ PLATFORM_BASE_URL: fake.url });
  // A third of the lease lies before each of them, so the fourth comes later than the lease alone would have lasted.
  await fake.until(() => fake.taken("lease").length >= 4);
  expect(fake.taken("result")).toEqual([]);
  const renewals = [...fake.taken("lease")];
  writeFileSync(release, "");
  expect((await worker.ended).code).toBe(0);
  expect(new Set(renewals.map(({ id, headers }) => `${id} ${headers["job-attempt"]} ${headers["job-lease"]}`))).toEqual(
    new Set(["a 1 lease-1"]),
  );
  expect(fake.taken("result").map(({ headers, status }) => [headers["job-lease"], status])).toEqual([["lease-1", 204]]);
});

test("a worker that was paused for longer than its lease is refused when it wakes, and drops its result", async () => {
  const fake = await sidecar({ leases: 0.6 });
  // It never ends by itself: only the refused renewal can end it.
  fake.add({ id: "a", content: { text: "first", ms: 3_600_000 } });
  const paused = launch({ PLATFORM_BASE_URL: fake.url });
  await fake.until(() => fake.taken("event").length > 0);
  paused.kill("SIGSTOP");
  // The platform has seen the lease run out, and another worker gets the job.
  fake.add({ id: "a", content: { text: "second" } });
  const other = launch({ PLATFORM_BASE_URL: fake.url });
  await fake.until(() => fake.taken("result").length > 0);
  paused.kill("SIGCONT");
  await expect.poll(paused.said).toMatch(/job lost|result dropped/);
  fake.finish();
  expect([(await paused.ended).code, (await other.ended).code]).toEqual([0, 0]);
  const stored = fake.taken("result").filter(({ status }) => status === 204);
  expect(stored.map(({ headers, body }) => [headers["job-attempt"], (body as { output: string }).output])).toEqual([
    ["2", "SECOND"],
  ]);
});

test("cancelled by the platform: the signal is aborted and no result is sent", async () => {
  const fake = await sidecar({ leases: 0.6 });
  fake.answer("lease", () => ({ status: 200, body: { cancel: "somebody said so" } }));
  fake.add({ id: "a", content: { text: "a", ms: 60_000 } });
  fake.finish();
  const { code, stderr } = await launch({ PLATFORM_BASE_URL: fake.url }).ended;
  expect([code, fake.taken("result").length, stderr.includes("somebody said so")]).toEqual([0, 0, true]);
});
