import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { PlatformTables } from "../../../../../cli/local-platform/stored/platform-tables.ts";
import { openPostgresTables } from "../../../../../cli/local-platform/stored/postgres-tables.ts";
import { UploadClaims } from "../../../../../cli/local-platform/stored/upload-claims.ts";
import { readAddress } from "../../../../../runtime/executor/store/postgres/connection/address.ts";
import { Negotiation } from "../../../../../runtime/executor/store/postgres/connection/tls.ts";
import { startPostgres, type PostgresServer } from "../../../../support/postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** The tables of a replica, over connections of its own to the database of all. */
async function open(schema: string): Promise<PlatformTables> {
  const tables = await openPostgresTables(new Negotiation(readAddress(server.url(schema))));
  onTestFinished(() => tables.close());
  return tables;
}

/** Claims an upload until the end of some work. False: it was refused. */
function claim(claims: UploadClaims, work: () => Promise<unknown> = async () => {}, id = "u"): Promise<boolean> {
  return claims.during(
    id,
    () => work().then(() => true),
    () => false,
  );
}

/** Lets all claim one upload at once. Whoever has it works when each has an answer. Returns the number of those. */
async function contend(all: readonly UploadClaims[], work: () => Promise<unknown> = async () => {}): Promise<number> {
  const answered = Promise.withResolvers<void>();
  let waiting = all.length;
  const answer = (): void => {
    if (--waiting === 0) answered.resolve();
  };
  const tried = all.map(async (claims) => {
    const has = await claim(claims, async () => {
      answer();
      await answered.promise;
      await work();
    });
    if (!has) answer();
    return has;
  });
  return (await Promise.all(tried)).filter(Boolean).length;
}

test("of writers over two connections to one database one has an upload, and when it has ended another one", async () => {
  const [a, b] = await Promise.all([open("many"), open("many")]);
  // Four processes: within one, nobody asks the database.
  const all = [a, b, a, b].map((tables) => new UploadClaims(tables));
  for (let round = 0; round < 20; round++) expect(await contend(all)).toBe(1);
});

test("writers of two uploads do not stop each other", async () => {
  const [a, b] = await Promise.all([open("two"), open("two")]);
  const other = (): Promise<boolean> => claim(new UploadClaims(b), undefined, "other");
  expect(await claim(new UploadClaims(a), async () => expect(await other()).toBe(true))).toBe(true);
});

test("a claim is renewed; when its replica hangs, one other gets it, and the first one's end does not end that", async () => {
  const [a, b] = await Promise.all([open("hanging"), open("hanging")]);
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const renewals: Promise<unknown>[] = [];
  let hangs = false;
  const query: PlatformTables["query"] = async (text, ...values) => {
    if (!text.startsWith("UPDATE")) return a.query(text, ...values);
    if (!hangs) renewals.push(a.query(text, ...values));
    return [];
  };
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const first = claim(new UploadClaims({ ...a, isShared: true, query }), () => {
    begun.resolve();
    return end.promise;
  });
  await begun.promise;
  for (let seconds = 0; seconds < 20; seconds += 2) {
    vi.advanceTimersByTime(2000);
    await Promise.all(renewals);
  }
  expect(renewals).toHaveLength(10);
  const others = [b, a, b, a].map((tables) => new UploadClaims(tables));
  expect(await contend(others)).toBe(0);
  hangs = true;
  vi.advanceTimersByTime(8000);
  expect(await contend(others)).toBe(0);
  vi.advanceTimersByTime(1);
  const taken = await contend(others, async () => {
    end.resolve();
    expect(await first).toBe(true);
    expect(await claim(new UploadClaims(b))).toBe(false);
  });
  expect(taken).toBe(1);
  expect(await claim(new UploadClaims(b))).toBe(true);
});
