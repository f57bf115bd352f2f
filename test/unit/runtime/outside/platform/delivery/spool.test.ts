import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ResultRequest } from "../../../../../../runtime/outside/platform/delivery/result-request.ts";
import { openSpool, type SavedResult } from "../../../../../../runtime/outside/platform/delivery/spool.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";

function request(id: string, body: Uint8Array = Buffer.from("{}")): ResultRequest {
  return {
    id,
    headers: { Authorization: `Bearer ${id}`, "Job-Attempt": "1" },
    isError: false,
    contentType: "application/json",
    body,
  };
}

async function all(folder: string, unreadable: string[] = []): Promise<SavedResult[]> {
  const found: SavedResult[] = [];
  const spool = openSpool(folder);
  for (const file of await spool.list()) {
    const saved = await spool.read(file, (bad) => unreadable.push(bad));
    if (saved !== undefined) found.push(saved);
  }
  return found;
}

test("what is saved comes back whole and in order, whatever the bytes and the id are", async () => {
  const folder = join(temporaryFolder(), "deep/spool");
  const spool = openSpool(folder);
  const requests = [
    request("urn:platform:job:../../etc/\u{1f600}\n", Buffer.from([0, 10, 13, 10, 255, 0])),
    request("b", Buffer.alloc(0)),
    request("c", Buffer.from("x\n".repeat(100_000))),
  ];
  for (const one of requests) await spool.save(one);
  const found = await all(folder);
  expect(found.map((left) => ({ ...left.request, body: Buffer.from(left.request.body) }))).toEqual(
    requests.map((one) => ({ ...one, body: Buffer.from(one.body) })),
  );
  await found[0]?.remove();
  await found[1]?.setAside();
  expect((await all(folder)).map((left) => left.request.id)).toEqual(["c"]);
});

test("files are for their owner only: they hold a token", async () => {
  const folder = join(temporaryFolder(), "spool");
  const { file } = await openSpool(folder).save(request("a"));
  expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
});

test("no folder is an empty spool", async () => {
  expect(await all(join(temporaryFolder(), "nope"))).toEqual([]);
});

test("what is no result, or not whole, is renamed and reported; half-written files are not looked at", async () => {
  const folder = temporaryFolder({
    "a.result": "no json",
    "b.result": '{"version":1}\n',
    "c.tmp": "half",
    "d.result": '{"version":9}\n{}',
  });
  const { file } = await openSpool(folder).save(request("cut"));
  writeFileSync(file, readFileSync(file).subarray(0, -1));
  const unreadable: string[] = [];
  expect(await all(folder, unreadable)).toEqual([]);
  expect(unreadable.length).toBe(4);
  expect(readdirSync(folder).filter((name) => name.endsWith(".unreadable")).length).toBe(4);
  expect(await all(folder, unreadable)).toEqual([]);
  expect(unreadable.length).toBe(4);
});

test("events come back in order, and a write that fails leaves nothing behind", async () => {
  const folder = join(temporaryFolder(), "spool");
  const spool = openSpool(folder);
  // More than one piece, with characters of two and four bytes at all places.
  const events = Array.from({ length: 300 }, (_, sequence) => ({ sequence, text: "äx\u{1f600}\n".repeat(sequence) }));
  await spool.save(request("a"), events);
  const cause = new Error("cannot be JSON");
  const broken = {
    toJSON() {
      throw cause;
    },
  } as never;
  await expect(spool.save(request("b"), [...events, broken])).rejects.toThrow(cause);
  expect((await all(folder)).map((left) => left.events)).toEqual([events]);
  expect(readdirSync(folder).length).toBe(1);
});

test("what a killed process has half written is removed later, what another one is writing is not", async () => {
  const name = (age: number): string => `${String(Date.now() - age).padStart(15, "0")}-1-000001.tmp`;
  const [old, young] = [name(7_200_000), name(60_000)];
  const folder = temporaryFolder({ [old]: "", [young]: "" });
  expect(await all(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual([young]);
});
