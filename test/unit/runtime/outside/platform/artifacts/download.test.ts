import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  ArtifactIntegrityError,
  NotAuthorizedError,
  PlatformError,
  ResourceNotFoundError,
} from "../../../../../../runtime/outside/platform/sidecar/platform-errors.ts";
import { fakePlatform, type FakePlatform, type PlatformFault } from "../../../../../support/fake-platform.ts";
import { platformApi, platformClient, platformJob } from "../../../../../support/platform-job.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";

let platform: FakePlatform;
beforeEach(async () => {
  platform = await fakePlatform();
});
afterEach(() => platform.close());

const text = async (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();

test("an artifact tells what it is, and gives its content as stream, bytes and file", async () => {
  const urn = platform.put("one", "Hello", { name: "größe.txt" });
  const artifact = await platformClient(platform.url).getArtifact(urn);
  expect(artifact).toMatchObject({
    urn,
    name: "größe.txt",
    contentType: "text/plain",
    size: 5,
    sha256: "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969",
    status: "ready",
  });
  expect(await text(artifact.stream())).toBe("Hello");
  expect(Buffer.from(await artifact.bytes()).toString()).toBe("Hello");
  expect(platform.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "HEAD /artifacts/urn%3Aplatform%3Aartifact%3Aone",
    "GET /artifacts/urn%3Aplatform%3Aartifact%3Aone",
    "GET /artifacts/urn%3Aplatform%3Aartifact%3Aone",
  ]);
});

test("every call carries the job's token, attempt, id and trace", async () => {
  const urn = platform.put("one", "Hello");
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const attempt = { id: "one", headers: { "Job-Attempt": "2", "Job-Lease": "nonce" } };
  const artifact = await platformClient(platform.url, platformJob({ traceparent, attempt })).getArtifact(urn);
  await artifact.bytes();
  expect(platform.calls).toHaveLength(2);
  for (const { headers } of platform.calls) {
    expect(headers).toMatchObject({
      authorization: "Bearer one",
      "platform-job-id": "urn:platform:job:one",
      "job-attempt": "2",
      "job-lease": "nonce",
      traceparent,
    });
  }
});

test("a local file has a fixed name in a folder of its own, and is gone after its use", async () => {
  const urn = platform.put("one", "Hello", { name: "../../x" });
  const artifact = await platformClient(platform.url).getArtifact(urn);
  let path: string;
  {
    await using file = await artifact.asLocalFile();
    path = file.path;
    expect(readFileSync(path, "utf8")).toBe("Hello");
    expect(basename(path)).toBe("artifact");
    expect(dirname(dirname(path))).toBe(tmpdir());
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  expect(existsSync(dirname(path))).toBe(false);
});

test("a local file whose path is given stays", async () => {
  const path = join(temporaryFolder(), "kept");
  const artifact = await platformClient(platform.url).getArtifact(platform.put("one", "Hello"));
  {
    await using file = await artifact.asLocalFile({ path });
    expect(file.path).toBe(path);
  }
  expect(readFileSync(path, "utf8")).toBe("Hello");
});

test("nothing is left of a local file that fails", async () => {
  const folder = temporaryFolder();
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const urn = platform.put("bad", "Hello", { digest: Buffer.alloc(32).toString("base64") });
  const artifact = await platformClient(platform.url).getArtifact(urn);
  await expect(artifact.asLocalFile()).rejects.toThrow(ArtifactIntegrityError);
  await expect(artifact.asLocalFile({ maxBytes: 4 })).rejects.toThrow("it has more than 4 bytes");
  expect(readdirSync(folder)).toEqual([]);
});

test("a wrong digest is told after the last byte", async () => {
  const urn = platform.put("bad", "Hello", { digest: Buffer.alloc(32).toString("base64") });
  const artifact = await platformClient(platform.url).getArtifact(urn);
  await expect(artifact.bytes()).rejects.toThrow(
    `Cannot get artifact ${urn}: its content does not have the digest that the platform tells. Upload it again.`,
  );
});

test("a download that is cut goes on where it was", async () => {
  const content = Buffer.alloc(300_000, "0123456789");
  const urn = platform.put("long", content);
  const artifact = await platformClient(platform.url).getArtifact(urn);
  platform.fail("GET", "/artifacts", "truncated", 503, "truncated", "reset");
  expect(Buffer.compare(Buffer.from(await artifact.bytes()), content)).toBe(0);
  const ranges = platform.calls.filter(({ method }) => method === "GET").map(({ headers }) => headers.range);
  expect(ranges).toHaveLength(5);
  expect(ranges[0]).toBeUndefined();
  expect(ranges[1]).toMatch(/^bytes=\d+-$/);
});

test("a limit holds before anything is read", async () => {
  const artifact = await platformClient(platform.url).getArtifact(platform.put("long", "0123456789"));
  await expect(artifact.bytes({ maxBytes: 9 })).rejects.toThrow("it has more than 9 bytes");
  expect(platform.calls.map(({ method }) => method)).toEqual(["HEAD"]);
});

test.each([
  [
    404,
    ResourceNotFoundError,
    "the platform does not know it. Check the URN, and that its policy lets this job see it.",
  ],
  [
    403,
    NotAuthorizedError,
    "the platform answered 403. The job's token does not allow it; check the policy of the resource.",
  ],
  [
    409,
    PlatformError,
    "the platform answered 409: it conflicts with a newer state, or this attempt no longer holds the job. It says: made up",
  ],
  [
    "redirect",
    PlatformError,
    "the platform answered with a redirect (302), which is never followed. Check PLATFORM_BASE_URL.",
  ],
] as const)("%s is told at once", async (fault: PlatformFault, kind, problem) => {
  const urn = platform.put("one", "Hello");
  const artifact = await platformClient(platform.url).getArtifact(urn);
  platform.fail("GET", "/artifacts", fault);
  const error: unknown = await artifact.bytes().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(kind);
  expect((error as Error).message).toContain(`Cannot get artifact ${urn}: ${problem}`);
  expect(platform.calls).toHaveLength(2);
});

test("a platform that stays down is given up after five tries", async () => {
  const urn = platform.put("one", "Hello");
  platform.fail("HEAD", "/artifacts", 503, "reset", 500, 429, 502);
  await expect(platformClient(platform.url).getArtifact(urn)).rejects.toThrow(
    `Cannot get artifact ${urn}: the platform answered 502, 5 times. The platform may be down; try again later, or check PLATFORM_BASE_URL.`,
  );
  expect(platform.calls).toHaveLength(5);
});

test("a platform that says nothing is given up", async () => {
  platform.fail("GET", "/aspects", "hang", "hang", "hang", "hang", "hang");
  const request = { operation: "list", method: "GET", path: "/aspects", timeout: 30 } as const;
  await expect(platformApi(platform.url).call(request)).rejects.toThrow(
    "Cannot list: no data came for 30 ms, 5 times.",
  );
});

test("a base URL with a path", async () => {
  const urn = platform.put("one", "Hello");
  await expect(platformClient(`${platform.url}/side/car`).getArtifact(urn)).rejects.toThrow(ResourceNotFoundError);
  expect(platform.calls[0]?.url).toBe("/side/car/artifacts/urn%3Aplatform%3Aartifact%3Aone");
});

test("a slow reader is no silence", async () => {
  platform.put("long", Buffer.alloc(3_000_000, "x"));
  const request = { operation: "get", method: "GET", path: "/artifacts/urn:platform:artifact:long" } as const;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { body } = await platformApi(platform.url).stream({ ...request, timeout: 40 });
  let size = 0;
  for await (const piece of body) {
    // The first piece is held for longer than silence may last.
    if (size === 0) await vi.advanceTimersByTimeAsync(1000);
    size += piece.length;
  }
  expect(size).toBe(3_000_000);
});

test("a sidecar without HEAD still gives the content", async () => {
  const urn = platform.put("one", "Hello");
  platform.fail("HEAD", "/artifacts", 405);
  const artifact = await platformClient(platform.url).getArtifact(urn);
  expect(artifact.size).toBeUndefined();
  expect(Buffer.from(await artifact.bytes()).toString()).toBe("Hello");
});

test.each(["../../x", "urn:platform:artifact:", "urn:platform:artifact:a/../../b?c#d", "file:///etc/passwd", "x\0"])(
  "%j never leaves the process",
  async (urn) => {
    await expect(platformClient(platform.url).getArtifact(urn)).rejects.toThrow(ResourceNotFoundError);
    expect(platform.calls).toEqual([]);
  },
);

test("a job that is stopped ends its download", async () => {
  const controller = new AbortController();
  const urn = platform.put("one", "Hello");
  const artifact = await platformClient(platform.url, platformJob({ signal: controller.signal })).getArtifact(urn);
  platform.fail("GET", "/artifacts", "hang");
  const reading = artifact.bytes();
  await expect.poll(() => platform.calls.length).toBe(2);
  controller.abort();
  await expect(reading).rejects.toThrow(`Cannot get artifact ${urn}: the job was stopped.`);
});
