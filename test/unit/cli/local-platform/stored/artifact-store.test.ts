import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { ArtifactStore } from "../../../../../cli/local-platform/stored/artifact-store.ts";
import { FolderBytes } from "../../../../../cli/local-platform/stored/folder-bytes.ts";
import { OnceKeys } from "../../../../../cli/local-platform/stored/once-keys.ts";
import { openSqliteTables } from "../../../../../cli/local-platform/stored/sqlite-tables.ts";
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

test("an upload that ended with a wrong digest stays wrong for a reader who saw it before", async () => {
  const { store, artifact } = await open();
  await store.append(artifact, piece(0), { length: undefined, sha256: "0".repeat(64) });
  expect(await store.complete(artifact)).toMatchObject({ status: "error" });
});
