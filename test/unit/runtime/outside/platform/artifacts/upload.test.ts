import { afterEach, beforeEach, expect, test } from "vitest";
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  ArtifactIntegrityError,
  PlatformError,
} from "../../../../../../runtime/outside/platform/sidecar/platform-errors.ts";
import type { UploadOptions } from "../../../../../../runtime/outside/platform/artifacts/upload-content.ts";
import { fakePlatform, type FakePlatform } from "../../../../../support/fake-platform.ts";
import { platformClient } from "../../../../../support/platform-job.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";

let platform: FakePlatform;
beforeEach(async () => {
  platform = await fakePlatform();
});
afterEach(() => platform.close());

const only = (): { content: string; name: string; contentType: string; status: string } => {
  expect(platform.artifacts.size).toBe(1);
  const [stored] = platform.artifacts.values();
  if (stored === undefined) throw new Error("nothing is stored");
  const { content, name, contentType, status } = stored;
  return { content: content.toString(), name, contentType, status };
};
const methods = (): string[] => platform.calls.map(({ method }) => method);

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test("small content goes in one request", async () => {
  const artifact = await platformClient(platform.url).uploadArtifact({ name: "größe \n.txt", content: "Hello" });
  expect(only()).toEqual({
    content: "Hello",
    name: "größe \n.txt",
    contentType: "text/plain; charset=utf-8",
    status: "ready",
  });
  expect(methods()).toEqual(["POST"]);
  expect(artifact).toMatchObject({ urn: "urn:platform:artifact:1", size: 5, status: "ready" });
  expect(Buffer.from(await artifact.bytes()).toString()).toBe("Hello");
});

test.each<[string, UploadOptions["content"]]>([
  ["bytes", Buffer.from("0123456789")],
  ["a stream", new Blob(["0123456789"]).stream()],
  ["a blob", new Blob(["0123456789"], { type: "text/plain" })],
  ["pieces of any size", pieces("", "012", "3456789")],
])("%s go in chunks", async (_, content) => {
  const contentType = "text/plain";
  const options = { name: "x", contentType, chunkSize: 4, policy: "urn:platform:policy:a", collection: "urn:c" };
  const artifact = await platformClient(platform.url).uploadArtifact({ ...options, ...(content && { content }) });
  expect(only()).toEqual({ content: "0123456789", name: "x", contentType, status: "ready" });
  expect(methods()).toEqual(["POST", "PATCH", "PATCH", "PATCH", "HEAD"]);
  expect(platform.calls[0]?.headers).toMatchObject({
    "x-content-type": "text/plain",
    "x-policy": "urn:platform:policy:a",
    "x-collection": "urn:c",
    "tus-resumable": "1.0.0",
  });
  expect(platform.calls[3]?.headers).toMatchObject({
    "upload-offset": "8",
    "repr-digest": `sha-256=:${createHash("sha256").update("0123456789").digest("base64")}:`,
  });
  expect(artifact.size).toBe(10);
});

test("a local file", async () => {
  const file = join(temporaryFolder({ "a.txt": "0123456789" }), "a.txt");
  await platformClient(platform.url).uploadArtifact({ name: "a", file, chunkSize: 7 });
  expect(only()).toMatchObject({ content: "0123456789", contentType: "application/octet-stream", status: "ready" });
  expect(platform.calls[0]?.headers["x-content-length"]).toBe("10");
  await expect(platformClient(platform.url).uploadArtifact({ name: "a", file: `${file}.none` })).rejects.toThrow(
    "ENOENT",
  );
});

test("nothing is content as well", async () => {
  await platformClient(platform.url).uploadArtifact({ name: "empty", content: pieces() });
  expect(only()).toMatchObject({ content: "", status: "ready" });
});

test.each([
  ["a lost answer", "dead"],
  ["a garbled chunk", "garble"],
  ["a platform that is down for a moment", 503],
  ["a cut connection", "reset"],
] as const)("%s: the upload goes on where the platform is", async (_, fault) => {
  platform.fail("PATCH", "/artifacts", fault, fault);
  await platformClient(platform.url).uploadArtifact({ name: "x", content: "0123456789", chunkSize: 4 });
  expect(only()).toMatchObject({ content: "0123456789", status: "ready" });
});

test("a lost answer to the beginning makes no second artifact", async () => {
  platform.fail("POST", "/artifacts", "dead");
  await platformClient(platform.url).uploadArtifact({ name: "x", content: "Hello" });
  expect(only()).toMatchObject({ content: "Hello" });
});

test("content never leaves for another host, whatever data-href says", async () => {
  await platformClient(platform.url).uploadArtifact({ name: "x", content: "0123456789", chunkSize: 4 });
  expect(new Set(platform.calls.map(({ headers }) => headers.host))).toEqual(new Set([new URL(platform.url).host]));
});

test.each([
  [9, 'Cannot upload artifact "x": its content has 10 bytes, but 9 were announced.'],
  [11, 'Cannot upload artifact "x": its content has 10 bytes, but 11 were announced.'],
  [7, 'Cannot upload artifact "x": its content has at least 8 bytes, but 7 were announced.'],
])("another size than %i bytes is told", async (size, message) => {
  const upload = { name: "x", content: pieces("0123456789"), size, chunkSize: 4 };
  await expect(platformClient(platform.url).uploadArtifact(upload)).rejects.toThrow(message);
});

test("something else that is stored is an error", async () => {
  platform.fail("HEAD", "/artifacts/urn%3Aplatform%3Aartifact%3A1", 404);
  await expect(
    platformClient(platform.url).uploadArtifact({ name: "x", content: "0123456789", chunkSize: 4 }),
  ).rejects.toThrow('Cannot upload artifact "x": the platform does not know it.');
  const client = platformClient(platform.url);
  const upload = client.uploadArtifact({
    name: "y",
    chunkSize: 4,
    content: (async function* () {
      yield Buffer.from("01234");
      const stored = platform.artifacts.get("urn:platform:artifact:2");
      if (stored !== undefined) stored.digest = Buffer.alloc(32).toString("base64");
      yield Buffer.from("56789");
    })(),
  });
  await expect(upload).rejects.toThrow(ArtifactIntegrityError);
});

test.each(["pending", "partial", "error"])("a whole upload that is answered as %s is an error", async (status) => {
  platform.statusOfWhole(status);
  await expect(platformClient(platform.url).uploadArtifact({ name: "x", content: "Hello" })).rejects.toThrow(
    new ArtifactIntegrityError(
      'upload artifact "x"',
      `the platform answered with the status ${status}, although it was sent the whole content. Upload it again.`,
    ),
  );
});

test("a platform that takes no chunk is given up", async () => {
  platform.fail("PATCH", "/artifacts", 503, 503, 503, 503, 503);
  await expect(
    platformClient(platform.url).uploadArtifact({ name: "x", content: "0123456789", chunkSize: 4 }),
  ).rejects.toThrow(PlatformError);
});

test.each<[UploadOptions, string]>([
  [{ name: "", content: "" }, "uploadArtifact needs a name."],
  [{ name: "x" }, "uploadArtifact needs either content or file."],
  [{ name: "x", content: "", file: "y" }, "uploadArtifact needs either content or file."],
  [{ name: "x", content: "", contentType: "a\r\nb" }, '"a\\r\\nb" is not a valid content type.'],
  [{ name: "x", content: "", policy: "all" }, 'The policy "all" must begin with urn:platform:policy:.'],
  [{ name: "x", content: "", chunkSize: 0 }, "chunkSize must be a number of bytes."],
  [{ name: "x", content: 1 as never }, "The content of an artifact is bytes, a string, a Blob or a stream of bytes."],
])("%j is refused before anything is sent", async (options, message) => {
  await expect(platformClient(platform.url).uploadArtifact(options)).rejects.toThrow(new TypeError(message));
  expect(platform.calls).toEqual([]);
});
