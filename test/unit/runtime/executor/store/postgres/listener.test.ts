import { createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { JobNews } from "../../../../../../runtime/executor/store/job-news.ts";
import { readAddress } from "../../../../../../runtime/executor/store/postgres/connection/address.ts";
import { channelOf } from "../../../../../../runtime/executor/store/postgres/channel.ts";
import { Negotiation } from "../../../../../../runtime/executor/store/postgres/connection/tls.ts";
import { Listener } from "../../../../../../runtime/executor/store/postgres/listener.ts";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { flushLogs, loggingInit } from "../../../../../../runtime/telemetry/log/logging.ts";
import { postgresPassword, startPostgres, type PostgresServer } from "../../../../../support/postgres-server.ts";
import { startTcpProxy, type TcpProxy } from "../../../../../support/tcp-proxy.ts";
import { given, newJob, urn } from "../conformance.ts";

const schema = "heard";
const channel = channelOf(schema);
const long = 60_000;
const eventually = { timeout: 120_000 };

let server: PostgresServer;
let client: pg.Client;
let proxy: TcpProxy;
let lines: string[];
let news: JobNews;
let told: string[];
let listener: Listener;

beforeAll(async () => {
  server = await startPostgres();
  client = new pg.Client(server.url());
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.stop();
});
beforeEach(async () => {
  proxy = await startTcpProxy(server.port);
  lines = [];
  loggingInit({ level: "INFO", write: (line) => lines.push(line) });
  news = new JobNews();
  told = [];
  news.watch(urn("a"), (change) => told.push(change));
  news.ready((tools) => told.push(`ready ${tools?.join(" ") ?? "any"}`));
});
afterEach(async () => {
  await listener.close();
  await proxy.close();
  await flushLogs();
});

type Send = (to: string, payload: string) => Promise<unknown>;
const overClient: Send = (to, payload) => client.query("SELECT pg_notify($1, $2)", [to, payload]);

/** Starts a listener; again and again, since its patience may be too short for a busy machine. */
async function listen(patience: number, send = overClient): Promise<void> {
  const isStarted = async (): Promise<boolean> => {
    listener = new Listener({
      negotiation: new Negotiation(readAddress(server.url(schema).replace(`:${server.port}/`, `:${proxy.port}/`))),
      schema,
      news,
      send,
      timing: { lookEvery: 50, proveEvery: 50, patience },
    });
    return listener.start().then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isStarted, eventually).toBe(true);
}

function notify(payload: string): Promise<unknown> {
  return client.query("SELECT pg_notify($1, $2)", [channel, payload]);
}

/** Resolves when the listener hears, after whatever happened before. */
async function hears(): Promise<void> {
  const mark = urn(`mark-${told.length}-${Math.random()}`);
  let heard = false;
  const stop = news.watch(mark, (change) => (heard ||= change === "ended"));
  await expect
    .poll(async () => {
      await notify(`e${JSON.stringify([mark.slice("urn:platform:job:".length)])}`);
      return heard;
    }, eventually)
    .toBe(true);
  stop();
}

async function logged(text: string): Promise<number> {
  await flushLogs();
  return lines.filter((line) => line.includes(text)).length;
}

test("what a message says is told to those whom it concerns; one that cannot be read concerns everybody", async () => {
  await listen(long);
  await hears();
  told.splice(0);
  await notify('p["b"]');
  await notify('p["b","a"]');
  await notify('e["a"]');
  await notify('r["one","two"]');
  await notify("e*");
  await notify("r*");
  await notify("e{nonsense");
  await notify("of a later version");
  await hears();
  expect(told).toEqual(["events", "ended", "ready one two", "unknown", "ready any", "unknown"]);
  expect(await logged("")).toBe(0);
});

test("what a stranger sends on the channel harms nobody, and ends no connection", async () => {
  await listen(long);
  await hears();
  told.splice(0);
  const texts = [
    "[",
    '["a"',
    '[{"toString":1}]',
    "null",
    '{"a":1}',
    "[".repeat(7000),
    `["${"x".repeat(7000)}"]`,
    "\u{1f525}",
  ];
  for (const kind of ["p", "a", "e", "r", "n", "?", "", "z"]) for (const text of texts) await notify(kind + text);
  await notify("");
  await notify('a["a"]');
  await hears();
  expect(told.at(-1)).toBe("answers");
  expect(await logged("")).toBe(0);
});

describe("a lost connection", () => {
  for (const [what, patience, lose] of [
    ["reset by the network", long, () => proxy.cut()],
    [
      "ended by the server",
      long,
      () =>
        client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenon listen'"),
    ],
    ["half-open: nothing comes through, and nobody says so", 1500, () => proxy.freeze()],
  ] as const) {
    test(`${what}: everybody looks, the log says so once, and the connection comes back`, async () => {
      await listen(patience);
      await hears();
      await lose();
      told.splice(0);
      await expect.poll(() => told, eventually).toEqual(expect.arrayContaining(["unknown", "ready any"]));
      proxy.thaw();
      await expect.poll(() => logged("receives notifications of other replicas again"), eventually).toBe(1);
      // With a short patience a busy machine may lose it again.
      expect(await logged("receives no notifications of other replicas")).toBeLessThanOrEqual(
        patience === long ? 1 : Infinity,
      );
      expect(lines.join("")).not.toContain(postgresPassword);
      await hears();
      const { length } = told;
      await hears();
      expect(told.slice(length), "looks after it is back").toEqual(patience === long ? [] : told.slice(length));
    });
  }
});

test("a server that ends each connection at once is tried again after pauses, which become longer", async () => {
  await listen(long);
  await hears();
  let tries = 0;
  const gone = createServer((socket) => {
    tries++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  proxy.lead((gone.address() as AddressInfo).port);
  const lost = performance.now();
  proxy.cut();
  await expect.poll(() => tries, eventually).toBeGreaterThanOrEqual(2);
  // Half a second, and then a whole one.
  expect(performance.now() - lost).toBeGreaterThan(1400);
  await listener.close();
  await new Promise((resolve) => gone.close(resolve));
});

test("the end of a listener that is closed is not in the log", async () => {
  await listen(long);
  await hears();
  await listener.close();
  expect(await logged("")).toBe(0);
});

test("an address that takes LISTEN and passes nothing on, as a pooler: everybody looks, and the log says what to set", async () => {
  await listen(1500, () => Promise.resolve());
  await expect.poll(() => told, eventually).toContain("unknown");
  await flushLogs();
  expect(
    lines.filter((line) => line.includes("set TENON_STORE_LISTEN_URL to the server's own address")),
  ).not.toHaveLength(0);
});

describe("the address of the listener", () => {
  test("?listen=off: no connection, everybody looks, nothing in the log", async () => {
    const store = await openPostgresStore(`${server.url("off")}&listen=off`);
    const { rows } = await client.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'tenon listen'");
    expect(rows).toEqual([]);
    const other = await openPostgresStore(server.url("off"));
    await other.submit(newJob("a"));
    const heard: string[] = [];
    store.watch(urn("a"), (change) => heard.push(change));
    await expect.poll(() => heard, eventually).toContain("unknown");
    await Promise.all([store.close(), other.close()]);
    expect(await logged("receives no notifications of other replicas")).toBe(0);
    await listen(long);
  });

  test("TENON_STORE_LISTEN_URL is used, and one that is wrong is told at the start", async () => {
    const listenUrl = server.url().replace(`:${server.port}/`, `:${proxy.port}/`);
    const store = await openPostgresStore(server.url("apart"), { listenUrl });
    const heard: string[] = [];
    store.watch(urn("a"), (change) => heard.push(change));
    await store.submit(newJob("a"));
    const { lease } = given(await store.claim({ seconds: 15 }));
    await store.settle(lease, { state: "succeeded", result: { kind: "json", json: "1" } });
    await expect.poll(() => heard, eventually).toContain("ended");
    await store.close();
    const wrong = openPostgresStore(server.url("apart"), { listenUrl: listenUrl.replace("/postgres", "/nowhere") });
    await expect(wrong).rejects.toThrow(/^TENON_STORE_LISTEN_URL: .* is not a database of this server/);
    await expect(openPostgresStore(server.url("apart"), { listenUrl: "http://x" })).rejects.toThrow(
      "TENON_STORE_LISTEN_URL is not a valid address of a PostgreSQL database.",
    );
    await listen(long);
  });
});
