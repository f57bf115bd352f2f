import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { artifactUrn } from "../../../../../runtime/outside/platform/artifacts/artifact-urn.ts";
import { BucketBytes } from "../../../../../cli/local-platform/stored/bucket-bytes.ts";
import { smallBucket, type SmallBucket } from "../../../../support/small-bucket.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const id = artifactUrn("one");
const always = (): boolean => true;
const ignore = async (): Promise<void> => {};
const piece = (offset: number, text: string) => ({
  offset,
  content: Readable.from([Buffer.from(text)]),
  sha256: undefined,
});

/** Contents in a bucket, with two pieces of an unfinished one. */
async function open(): Promise<{ readonly small: SmallBucket; readonly bytes: BucketBytes }> {
  const small = await smallBucket();
  const bytes = new BucketBytes(small.bucket, temporaryFolder({}));
  await bytes.append(id, piece(0, "first "));
  await bytes.append(id, piece(6, "second"));
  return { small, bytes };
}

test("pieces are joined, and only the whole stays", async () => {
  const { small, bytes } = await open();
  expect(await bytes.received(id)).toBe(12);
  const digest = createHash("sha256").update("first second").digest("hex");
  expect(await bytes.finish(id, (taken) => taken.digest === digest, ignore)).toBe(true);
  expect([...small.objects.keys()]).toEqual(["one"]);
  expect((await buffer(await bytes.read(id, { start: 0, end: 11 }))).toString()).toBe("first second");
});

test("a piece with other bytes than were stored is not joined, and all pieces stay", async () => {
  const { small, bytes } = await open();
  const keys = [...small.objects.keys()];
  small.objects.set(String(keys[0]), Buffer.from("ZZZZZZ"));
  await expect(bytes.finish(id, always, ignore)).rejects.toMatchObject({ kind: "unavailable" });
  expect([...small.objects.keys()]).toEqual(keys);
  expect(small.warnings).toEqual([expect.stringContaining("other bytes of a piece than were stored.")]);
});

test("a piece that breaks off is not joined", async () => {
  const { small, bytes } = await open();
  small.answer = ({ headers }, response) => {
    if (headers.range === undefined) return false;
    response.writeHead(206, { "content-range": "bytes 0-5/6" }).end("fir");
    return true;
  };
  await expect(bytes.finish(id, always, ignore)).rejects.toMatchObject({ kind: "unavailable" });
  expect(small.warnings).toEqual([expect.stringContaining("it answers with 3 bytes in place of 6.")]);
});

test("a content that is not right is not stored, and what its last piece brought can be cut off", async () => {
  const { small, bytes } = await open();
  const record = async (): Promise<void> => expect.unreachable();
  expect(await bytes.finish(id, () => false, record)).toBe(false);
  expect(small.objects.size).toBe(2);
  await bytes.cut(id, 6);
  expect([await bytes.received(id), small.objects.size]).toEqual([6, 1]);
});
