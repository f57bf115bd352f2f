import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLocalPlatformClient } from "../../../../../runtime/outside/platform/local-platform-client.ts";
import {
  PlatformError,
  ResourceNotFoundError,
} from "../../../../../runtime/outside/platform/sidecar/platform-errors.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

test("a file that lies in the folder is an artifact", async () => {
  const client = createLocalPlatformClient(temporaryFolder({ "artifacts/report.txt": "Hello" }));
  const artifact = await client.getArtifact("urn:platform:artifact:report.txt");
  expect(artifact).toMatchObject({ name: "report.txt", size: 5, contentType: "application/octet-stream" });
  expect(await new Response(artifact.stream()).text()).toBe("Hello");
  let path: string;
  {
    await using file = await artifact.asLocalFile();
    path = file.path;
    expect(readFileSync(path, "utf8")).toBe("Hello");
  }
  expect(existsSync(path)).toBe(false);
});

test("what is uploaded is there for the next client, under a name of ours", async () => {
  const folder = temporaryFolder();
  const stored = await createLocalPlatformClient(folder).uploadArtifact({ name: "../../x", content: "Hello" });
  const found = await createLocalPlatformClient(folder).getArtifact(stored.urn);
  expect(found).toMatchObject({ name: "../../x", contentType: "text/plain; charset=utf-8", size: 5 });
  expect(found.sha256).toBe(stored.sha256);
  expect(Buffer.from(await found.bytes()).toString()).toBe("Hello");
  expect(readdirSync(folder).toSorted()).toEqual(["artifact-info", "artifacts"]);
  expect(readdirSync(join(folder, "artifacts"))).toEqual([stored.urn.slice("urn:platform:artifact:".length)]);
});

test("nothing is left of an upload that fails", async () => {
  const folder = temporaryFolder();
  const content = (async function* () {
    yield Buffer.from("a");
    throw new Error("source is broken");
  })();
  await expect(createLocalPlatformClient(folder).uploadArtifact({ name: "x", content })).rejects.toThrow(
    "source is broken",
  );
  expect(readdirSync(join(folder, "artifacts"))).toEqual([]);
});

test.each(["../secret", "..", ".hidden", "a/b", "%2e%2e", "", "c:x"])("the id %j stays inside", async (id) => {
  const folder = temporaryFolder({ secret: "s", "artifacts/.hidden": "h", "artifacts/a/b": "b" });
  const client = createLocalPlatformClient(folder);
  await expect(client.getArtifact(`urn:platform:artifact:${id}`)).rejects.toThrow(ResourceNotFoundError);
});

test("a link is no artifact, and the error of a missing one names the file", async () => {
  const folder = temporaryFolder({ secret: "s", "artifacts/a": "a" });
  symlinkSync(join(folder, "secret"), join(folder, "artifacts", "link"));
  const client = createLocalPlatformClient(folder);
  await expect(client.getArtifact("urn:platform:artifact:link")).rejects.toThrow(
    `Cannot get artifact urn:platform:artifact:link: there is no file ${join(folder, "artifacts/link")}. Put it there, or set PLATFORM_BASE_URL to use a platform.`,
  );
});

test("aspects are added, replaced, listed by wildcard and retracted", async () => {
  const folder = temporaryFolder();
  const client = createLocalPlatformClient(folder);
  await client.addAspect("urn:e", { $schema: "urn:example:a.1", n: 1 });
  const replaced = await client.updateAspect("urn:e", { $schema: "urn:example:a.1", n: 2 });
  const other = await client.addAspect("urn:e", { $schema: "urn:example:b.1", n: 3 });
  const numbers = async (...args: Parameters<typeof client.listAspects>): Promise<number[]> =>
    (await collect(createLocalPlatformClient(folder).listAspects(...args)))
      .map(({ content }) => (content as { n: number }).n)
      .toSorted((a, b) => a - b);
  expect(replaced.replaces).toMatch(/^urn:platform:aspect:/);
  expect(await numbers({ entity: "urn:e" })).toEqual([2, 3]);
  expect(await numbers({ schema: "urn:%.1" })).toEqual([2, 3]);
  expect(await numbers({ schema: "urn:%:a%1" })).toEqual([2]);
  expect(await numbers({ schema: "urn:%:a%1%2" })).toEqual([]);
  expect(await numbers({ schema: "urn:example:b.1" })).toEqual([3]);
  expect(await numbers({ entity: "urn:f" })).toEqual([]);
  expect(await collect(client.listAspects({ limit: 1 }))).toHaveLength(1);
  expect((await collect(client.listAspects({ includeContent: false })))[0]?.content).toBeUndefined();
  await other.retract();
  expect(await numbers({})).toEqual([2]);
  expect((await other.refresh()).validTo).toBeDefined();
});

test("an artifact has its metadata", async () => {
  const client = createLocalPlatformClient(temporaryFolder({ "artifacts/a": "a" }));
  const artifact = await client.getArtifact("urn:platform:artifact:a");
  await artifact.addMetadata({ $schema: "urn:example:pages.1", pages: 3 });
  const [aspect, ...more] = await collect(artifact.metadata("urn:example:pages%"));
  expect(aspect?.content).toEqual({ $schema: "urn:example:pages.1", pages: 3, $entity: "urn:platform:artifact:a" });
  expect(more).toEqual([]);
});

test("what only a platform can do says so", async () => {
  const client = createLocalPlatformClient(temporaryFolder());
  expect(await collect(client.listServices())).toEqual([]);
  await expect(client.getServiceByName("x")).rejects.toThrow(
    new PlatformError('get service "x"', "services exist on a platform only. Set PLATFORM_BASE_URL to use one."),
  );
  await expect(collect(client.listAspects({ filter: "x" }))).rejects.toThrow(
    "Cannot list local aspects: the option filter works on a platform only (PLATFORM_BASE_URL).",
  );
});
