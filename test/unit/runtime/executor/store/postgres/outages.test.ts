import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createExecutor } from "../../../../../../runtime/executor/job-executor.ts";
import type { JobStore, StoredOutcome, WriteAnswer } from "../../../../../../runtime/executor/store/job-store.ts";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { freePort } from "../../../../../support/free-port.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";
import { startPostgres, type PostgresServer } from "../../../../../support/postgres-server.ts";
import { startTcpProxy, type TcpProxy } from "../../../../../support/tcp-proxy.ts";
import { event, newJob, urn } from "../conformance.ts";

const ok: StoredOutcome = { state: "succeeded", result: { kind: "json", json: '"a"' } };

const anything = { fingerprint: "f", optional: true } as const;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

async function opened(url: string): Promise<JobStore> {
  const store = await openPostgresStore(url);
  onTestFinished(async () => store.close());
  return store;
}

/** Another connection to the server, closed when the test has ended, also when it failed. */
async function administrator(): Promise<pg.Client> {
  const client = new pg.Client(server.url());
  await client.connect();
  onTestFinished(async () => client.end());
  return client;
}

async function proxied(): Promise<{ readonly proxy: TcpProxy; readonly url: (schema: string) => string }> {
  const proxy = await startTcpProxy(server.port);
  onTestFinished(() => proxy.close());
  return { proxy, url: (schema) => server.url(schema).replace(`:${server.port}/`, `:${proxy.port}/`) };
}

/** A job from its submission to its end; a settlement may have been taken before its answer was lost. */
async function runJob(store: JobStore, name: string): Promise<WriteAnswer> {
  const answer = await store.submit(newJob(name), 3600);
  if (answer.kind !== "created" || answer.lease === undefined) throw new Error(`no lease: ${answer.kind}`);
  void store.progress(answer.lease, [event(1)]);
  void store.progress(answer.lease, [event(2)]);
  return store.settle(answer.lease, ok);
}

async function expectWhole(store: JobStore, names: readonly string[]): Promise<void> {
  const records = await Promise.all(names.map((name) => store.get(urn(name))));
  expect(new Set(records.map((record) => record?.state))).toEqual(new Set(["succeeded"]));
  expect(new Set(records.map((record) => record?.events.length))).toEqual(new Set([2]));
}

const many = Array.from({ length: 60 }, (_, index) => `j${index}`);

test("kill -9 of the server while jobs run: they wait for it, and each ends once, with all its events", async () => {
  const store = await opened(server.url("killed"));
  const running: Promise<WriteAnswer>[] = [];
  for (const name of many) {
    running.push(runJob(store, name));
    if (running.length === many.length / 2) void server.kill().then(() => server.start());
    await running.at(-1 - (running.length % 3));
  }
  for (const answer of await Promise.all(running)) expect(["ok", "ended"]).toContain(answer);
  await expectWhole(store, many);
});

test("a step that ends while the server is away is kept once it is back, and only then goes on", async () => {
  const { proxy, url } = await proxied();
  const nobody = await freePort();
  const store = await opened(url("steps"));
  const tool = fakeTool(
    async (_, job) => {
      const step = (name: string, value: number): Promise<unknown> =>
        (job.step as (...given: unknown[]) => Promise<unknown>).call(job, name, {}, () => value, anything);
      await step("first", 1);
      proxy.lead(nobody);
      proxy.cut();
      let isKept = false;
      const second = step("second", 2).finally(() => (isKept = true));
      await expect(store.submit(newJob("new"))).rejects.toMatchObject({ kind: "overloaded" });
      const early = isKept;
      proxy.lead(server.port);
      return [early, await second];
    },
    { definition: { durable: true } },
  );
  const executor = createExecutor({ tools: [tool], store });
  onTestFinished(async () => void (await executor.drain(0)));
  const job = executor.start({ tool, input: {}, id: urn("steps") });
  expect(await job.done).toMatchObject({ state: "succeeded", result: { json: "[false,2]" } });
  expect((await store.recall(urn("steps"))).steps).toMatchObject([
    { key: "first", state: "done", attempt: 1 },
    { key: "second", state: "done", attempt: 1 },
  ]);
});

test("a half-open connection: calls go on over new ones, and nothing is done twice", async () => {
  const { proxy, url } = await proxied();
  const store = await opened(url("half"));
  await runJob(store, "before");
  proxy.freeze();
  const running = many.map((name) => runJob(store, name));
  proxy.thaw();
  for (const answer of await Promise.all(running)) expect(["ok", "ended"]).toContain(answer);
  await expectWhole(store, many);
});

test("a server that accepts connections and answers nothing: each call ends in ten seconds, whatever is before it", async () => {
  const { proxy, url } = await proxied();
  const store = await opened(url("hanging"));
  const held = await store.submit(newJob("held"), 3600);
  if (held.kind !== "created" || held.lease === undefined) throw new Error("no lease");
  proxy.freeze();
  const timed = async (call: () => Promise<unknown>): Promise<readonly [unknown, number]> => {
    const begun = performance.now();
    const error: unknown = await call().catch((reason: unknown) => reason);
    return [error, performance.now() - begun];
  };
  const calls: Promise<readonly [unknown, number]>[] = [];
  // The later calls wait behind the statements of the earlier ones.
  for (const name of ["a", "b", "c"]) {
    calls.push(
      timed(async () => store.submit(newJob(name))),
      timed(async () => store.get(urn(name))),
      timed(async () => store.cancel(urn("held"), name)),
    );
    await sleep(3000);
  }
  for (const [error, took] of await Promise.all(calls)) {
    expect(error).toMatchObject({
      kind: "overloaded",
      retryAfter: 5,
      cause: { message: expect.stringContaining("it gives no answer. Check host") as string },
    });
    expect(took).toBeGreaterThan(8000);
    expect(took).toBeLessThan(11_000);
  }
  proxy.thaw();
  expect(await store.settle(held.lease, ok)).toBe("ok");
  // A call that was refused before its statement began is not carried out later.
  expect(await store.get(urn("c"))).toBeUndefined();
});

test("a statement that is slower than the silence after which it is repeated is answered, and done once", async () => {
  const store = await opened(server.url("slowly"));
  const client = await administrator();
  await client.query("BEGIN; LOCK TABLE slowly.jobs IN ACCESS EXCLUSIVE MODE");
  const answer = store.submit(newJob("slow"));
  await sleep(7000);
  await client.query("COMMIT");
  expect(["created", "existing"]).toContain((await answer).kind);
  expect((await store.get(urn("slow")))?.state).toBe("pending");
});

test("a primary that a setting makes read-only: the advice names the setting, and jobs go on once it is gone", async () => {
  const client = await administrator();
  await client.query("DROP DATABASE IF EXISTS settings WITH (FORCE)");
  await client.query("CREATE DATABASE settings");
  const store = await opened(server.url("jobs").replace("/postgres?", "/settings?"));
  await store.submit(newJob("before"));
  await client.query("ALTER DATABASE settings SET default_transaction_read_only = on");
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'settings'");
  // A busy machine may not connect within the seconds of one call, which then says that: each is refused, whatever the
  // reason, and one that reaches the server gets the advice.
  const refusal = (): Promise<unknown> =>
    Promise.resolve(store.submit(newJob("refused"))).catch((error: unknown) => error);
  await expect.poll(refusal).toMatchObject({
    kind: "overloaded",
    cause: { message: expect.stringMatching(/is the primary server, but read-only by its setting .* RESET/) as string },
  });
  const opening = (): Promise<unknown> =>
    openPostgresStore(server.url("other").replace("/postgres?", "/settings?")).catch(String);
  await expect.poll(opening).toMatch(/is the primary server, but read-only/);
  await client.query("ALTER DATABASE settings RESET default_transaction_read_only");
  const after = async (): Promise<string> => (await store.submit(newJob("after"))).kind;
  await expect.poll(after).toMatch(/^(?:created|existing)$/);
  expect(await store.get(urn("refused"))).toBeUndefined();
});

test("a time-out of the server: new jobs are refused in one line, ends of running ones wait until it passes", async () => {
  const store = await opened(`${server.url("slow")}&options=-c%20lock_timeout%3D200`);
  const held = await store.submit(newJob("held"), 3600);
  if (held.kind !== "created" || held.lease === undefined) throw new Error("no lease");
  const client = await administrator();
  await client.query("BEGIN; LOCK TABLE slow.jobs IN ACCESS EXCLUSIVE MODE");
  const settled = store.settle(held.lease, ok);
  await expect(store.submit(newJob("new"))).rejects.toMatchObject({
    kind: "overloaded",
    cause: { message: expect.stringMatching(/ended a statement after its statement_timeout .* busy\.$/) as string },
  });
  await client.query("COMMIT");
  expect(await settled).toBe("ok");
  expect(await store.get(urn("new"))).toBeUndefined();
});

/** Submits more than a small disk holds. */
async function submitLarge(store: JobStore): Promise<void> {
  for (const name of many) await store.submit(newJob(name, { input: "x".repeat(1900) }));
}

test("a full disk: new jobs are refused in one line, running ones end when there is room again", async ({ skip }) => {
  const place = mkdtempSync(join(tmpdir(), "tenon-full-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m,uid=65534,gid=65534,mode=700", "tmpfs", place]);
  skip(mounted.status !== 0, "needs the right to mount a small disk");
  onTestFinished(() => void spawnSync("umount", ["-l", place]));
  const client = await administrator();
  await client.query(`CREATE TABLESPACE small LOCATION '${place}'`);
  const store = await opened(server.url("crowded"));
  await client.query(
    "ALTER TABLE crowded.jobs SET TABLESPACE small; CREATE TABLE public.ballast (b bytea) TABLESPACE small",
  );
  const held = await store.submit(newJob("held"), 3600);
  if (held.kind !== "created" || held.lease === undefined) throw new Error("no lease");
  await client
    .query("INSERT INTO public.ballast SELECT decode(repeat('ab', 1900), 'hex') FROM generate_series(1, 5000)")
    .catch(() => {});
  const refused: unknown = await submitLarge(store).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    kind: "overloaded",
    cause: { message: expect.stringContaining("has no room left on its disk. Free some;") as string },
  });
  const settled = store.settle(held.lease, {
    state: "succeeded",
    result: { kind: "text", text: "y".repeat(1900) },
  });
  await client.query("DROP TABLE public.ballast; CHECKPOINT");
  expect(await settled).toBe("ok");
  expect((await store.get(urn("held")))?.state).toBe("succeeded");
});

test("failover to a standby: what was acknowledged is there, and running jobs go on", async () => {
  const { proxy, url } = await proxied();
  const primary = await startPostgres();
  proxy.lead(primary.port);
  await primary.halt();
  const standby = await startPostgres({ standbyOf: primary });
  onTestFinished(async () => {
    await standby.stop();
    await primary.stop();
  });
  await primary.start();
  const client = new pg.Client(primary.url());
  await client.connect();
  client.on("error", () => {});
  await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await client.query("SELECT pg_reload_conf()");
  await expect
    .poll(async () => (await client.query("SELECT sync_state FROM pg_stat_replication")).rows)
    .toEqual([{ sync_state: "sync" }]);
  const store = await opened(url("moved"));
  const names = many.slice(0, 10);
  await Promise.all(names.map((name) => runJob(store, name)));
  const held = await store.submit(newJob("held"), 3600);
  if (held.kind !== "created" || held.lease === undefined) throw new Error("no lease");
  await primary.kill();
  const settled = store.settle(held.lease, ok);
  const next = new pg.Client(standby.url());
  await next.connect();
  await next.query("ALTER SYSTEM RESET synchronous_standby_names");
  await next.query("SELECT pg_reload_conf()");
  await next.query("SELECT pg_promote()");
  await next.end();
  proxy.lead(standby.port);
  expect(["ok", "ended"]).toContain(await settled);
  await expectWhole(store, names);
});
