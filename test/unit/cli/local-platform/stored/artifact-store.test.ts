import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { ArtifactStore, type StoredArtifact } from "../../../../../cli/local-platform/stored/artifact-store.ts";
import { FolderBytes } from "../../../../../cli/local-platform/stored/folder-bytes.ts";
import { OnceKeys } from "../../../../../cli/local-platform/stored/once-keys.ts";
import { openSqliteTables } from "../../../../../cli/local-platform/stored/sqlite-tables.ts";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const content = Buffer.from("all of it");
const announced = { name: "a", type: "text/plain", size: content.length, policy: null, collection: null, job: null };

/** A store in a folder, with an announced artifact of nine bytes. */
async function open(size: number | null = content.length) {
  const folder = temporaryFolder({});
  const tables = await openSqliteTables(folder);
  onTestFinished(() => tables.close());
  const bytes = new FolderBytes(`${folder}/files`);
  const store = new ArtifactStore(bytes, tables, new OnceKeys(tables));
  return { bytes, store, artifact: await store.announce({ ...announced, size }, undefined) };
}

async function find(store: ArtifactStore, id: string): Promise<StoredArtifact> {
  const found = await store.get(id);
  if (found === undefined) throw new Error(`${id} is not there`);
  return found;
}

const piece = (offset: number, end = content.length) => ({
  offset,
  content: Readable.from([content.subarray(offset, end)]),
  sha256: undefined,
});

test("an artifact whose process was killed behind its last bytes is completed", async () => {
  const { bytes, store, artifact } = await open();
  await bytes.append(artifact.id, piece(0));
  expect(await store.isWhole(artifact)).toBe(true);
  expect(await store.complete(artifact)).toMatchObject({ status: "ready", size: 9, sha256: expect.any(String) });
});

test("an artifact whose process was killed before its end was recorded is completed, and loses no byte until then", async () => {
  const { bytes, store, artifact } = await open();
  await bytes.append(artifact.id, piece(0));
  const killed = bytes.finish(
    artifact.id,
    () => true,
    () => Promise.reject(new Error("killed")),
  );
  await expect(killed).rejects.toThrow("killed");
  expect(await store.offset(artifact)).toBe(9);
  expect(await store.complete(artifact)).toMatchObject({ status: "ready", size: 9 });
});

test("a size that comes with the last bytes is known before they are", async () => {
  const { bytes, store, artifact } = await open(null);
  const cut = { offset: 0, content: Readable.from([content]), sha256: "0".repeat(64) };
  expect(await store.append(artifact, cut, { length: 9, sha256: undefined })).toBeUndefined();
  const known = await store.get(artifact.id);
  expect(known).toMatchObject({ status: "partial", size: 9 });
  await bytes.append(artifact.id, piece(0));
  expect(known && (await store.isWhole(known))).toBe(true);
});

test("an artifact is not whole as long as bytes are missing, nor once it is recorded", async () => {
  const { bytes, store, artifact } = await open();
  await bytes.append(artifact.id, piece(0, 4));
  expect(await store.isWhole(artifact)).toBe(false);
  await bytes.append(artifact.id, piece(4));
  expect(await store.isWhole(await store.complete(artifact))).toBe(false);
});

const wrong = "0".repeat(64);

test("an upload that ends with a wrong digest is refused, and goes on where its last piece began", async () => {
  const { store, artifact } = await open(null);
  await store.append(artifact, piece(0, 4), { length: undefined, sha256: undefined });
  const begun = await find(store, artifact.id);
  await expect(store.append(begun, piece(4), { length: 9, sha256: wrong })).rejects.toMatchObject({
    kind: "bad-request",
    message: expect.stringContaining("Repr-Digest"),
  });
  expect(await find(store, artifact.id)).toEqual(begun);
  expect(await store.offset(begun)).toBe(4);
  const digest = createHash("sha256").update(content).digest("hex");
  expect(await store.append(begun, piece(4), { length: 9, sha256: digest })).toBe(9);
  expect(await find(store, artifact.id)).toMatchObject({ status: "ready", size: 9, sha256: digest });
});

test("an upload with a wrong digest whose process was killed before its refusal is no content for a reader", async () => {
  const { bytes, store, artifact } = await open();
  bytes.finish = () => Promise.reject(new Error("killed"));
  await expect(store.append(artifact, piece(0), { length: undefined, sha256: wrong })).rejects.toThrow("killed");
  Reflect.deleteProperty(bytes, "finish");
  const found = await find(store, artifact.id);
  expect([found.status, await store.isWhole(found)]).toEqual(["partial", true]);
  expect(await store.complete(found)).toMatchObject({ status: "error", sha256: null });
});

test("a piece beyond the announced size is refused, and nothing of it stays", async () => {
  const { store, artifact } = await open();
  await store.append(artifact, piece(0, 4), { length: undefined, sha256: undefined });
  const begun = await find(store, artifact.id);
  // Of several chunks, the first of which would fit.
  const long = { offset: 4, content: Readable.from([content.subarray(4, 8), content]), sha256: undefined };
  await expect(store.append(begun, long, { length: undefined, sha256: undefined })).rejects.toMatchObject({
    kind: "bad-request",
    message: "The upload has only 9 bytes.",
  });
  expect([await store.offset(begun), await find(store, artifact.id)]).toEqual([4, begun]);
  await store.append(begun, piece(4), { length: undefined, sha256: undefined });
  expect(await find(store, artifact.id)).toMatchObject({ status: "ready", size: 9 });
});

test.each([
  ["less than announced", 9, 5],
  ["more than announced", 9, 999],
  ["less than received", null, 3],
])("an upload whose length is %s is refused, and nothing is written", async (_, announcedSize, length) => {
  const { store, artifact } = await open(announcedSize);
  await store.append(artifact, piece(0, 4), { length: undefined, sha256: undefined });
  const begun = await find(store, artifact.id);
  const none = { offset: 4, content: Readable.from([]), sha256: undefined };
  for (const next of [none, piece(4, 8)])
    await expect(store.append(begun, next, { length, sha256: undefined })).rejects.toMatchObject({
      kind: "bad-request",
    });
  expect([await store.offset(begun), await find(store, artifact.id)]).toEqual([4, begun]);
});

test("an upload of which the storage does not show a piece is neither complete nor garbled", async () => {
  const { bytes, store, artifact } = await open();
  vi.spyOn(bytes, "finish").mockImplementation(async (_, isRight) => isRight({ size: 4, digest: wrong }));
  await expect(store.append(artifact, piece(0), { length: 9, sha256: undefined })).rejects.toThrow(
    new ToolError("unavailable", "The storage does not show all bytes of this upload. Try again later.", {
      retryAfter: 30,
    }),
  );
});
