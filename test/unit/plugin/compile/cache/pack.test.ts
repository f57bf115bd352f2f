import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPack, type Pack } from "../../../../../plugin/compile/cache/pack.ts";
import type { CacheRecord } from "../../../../../plugin/compile/cache/record.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

function open(root: string, isAlive: (name: string) => boolean = () => true): Pack {
  return openPack({ path: join(root, "cache/p.pack"), root, isAlive });
}

function recordOf(name: string, code = "code"): CacheRecord {
  const [head, source, body] = ["{}", "é𝔸 text", "[]"].map((text) => Buffer.from(text));
  if (!head || !source || !body) throw new Error("There are three.");
  return { name, id: `id of ${name}`, head, source, code: Buffer.from(code), body };
}

/** As a build of its own does. */
function put(root: string, ...records: readonly CacheRecord[]): void {
  const pack = open(root);
  for (const record of records) pack.put(record);
  pack.flush();
}

function codeOf(root: string, name: string): string | undefined {
  return open(root).get(name)?.code.toString();
}

test("gives back each part of a record, to the next process as well", () => {
  const root = temporaryFolder();
  put(root, recordOf("ä.ts"), recordOf("empty", ""));
  expect(open(root).get("ä.ts")).toMatchObject(recordOf("ä.ts"));
  expect(open(root).get("empty")).toMatchObject(recordOf("empty", ""));
  expect(open(root).get("other")).toBeUndefined();
});

test("builds at the same time keep the records of each", () => {
  const root = temporaryFolder();
  const [one, two] = [open(root), open(root)];
  expect([one.get("a"), two.get("a")]).toEqual([undefined, undefined]);
  one.put(recordOf("a"));
  two.put(recordOf("b"));
  one.flush();
  two.flush();
  expect([codeOf(root, "a"), codeOf(root, "b")]).toEqual(["code", "code"]);
});

test("a file does not grow with records that take the place of others, and loses those of files that are gone", () => {
  const root = temporaryFolder();
  put(root, recordOf("a"), recordOf("gone"));
  const { size } = statSync(join(root, "cache/p.pack"));
  for (let build = 0; build < 20; build++) put(root, recordOf("a", `code ${build}`));
  expect(codeOf(root, "a")).toBe("code 19");
  expect(statSync(join(root, "cache/p.pack")).size).toBeLessThan(3 * size);
  const pack = open(root, (name) => name !== "gone");
  for (let build = 0; build < 4; build++) {
    pack.put(recordOf("a", `more ${build}`));
    pack.flush();
  }
  expect([codeOf(root, "a"), codeOf(root, "gone")]).toEqual(["more 3", undefined]);
});

test.each([
  ["a record that is cut off", (file: Buffer) => file.subarray(0, -3)],
  ["something else", (file: Buffer) => Buffer.concat([file, Buffer.from("tenon 1 -1 -1 -1 -1 -1 -1\n")])],
  [
    "a record of another content",
    (file: Buffer) => Buffer.from(file.toString("latin1").replace(/code(?=\[\]$)/, "CODE"), "latin1"),
  ],
])("%s at the end costs no other record, and the next build mends the file", (_what, damage) => {
  const root = temporaryFolder();
  const path = join(root, "cache/p.pack");
  put(root, recordOf("a"), recordOf("b"));
  writeFileSync(path, damage(readFileSync(path)));
  expect(codeOf(root, "a")).toBe("code");
  const next = open(root);
  if (next.get("b") === undefined) next.put(recordOf("b", "again"));
  next.put(recordOf("c"));
  next.flush();
  expect(["a", "c"].map((name) => codeOf(root, name))).toEqual(["code", "code"]);
  expect(["code", "again"]).toContain(codeOf(root, "b"));
  appendFileSync(path, "x");
  put(root, recordOf("d"));
  expect(["a", "c", "d"].map((name) => codeOf(root, name))).toEqual(["code", "code", "code"]);
});

test("a project that is gone is not made again for its cache", () => {
  const root = temporaryFolder();
  const pack = openPack({ path: join(root, "project/cache/p.pack"), root: join(root, "project"), isAlive: () => true });
  pack.put(recordOf("a"));
  pack.flush();
  expect(statSync(join(root, "project"), { throwIfNoEntry: false })).toBeUndefined();
  rmSync(root, { recursive: true, force: true });
});
