import { afterEach, beforeEach, expect, test } from "vitest";
import { fakePlatform, type FakePlatform } from "../../../../support/fake-platform.ts";
import { platformClient } from "../../../../support/platform-job.ts";

let platform: FakePlatform;
beforeEach(async () => {
  platform = await fakePlatform();
});
afterEach(() => platform.close());

const entity = "urn:example:entity/a?b#c";
const schema = "urn:example:schema.note.1";

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const urls = (): string[] => platform.calls.map(({ method, url }) => `${method} ${url}`);

test("an aspect is added, read again and retracted", async () => {
  const client = platformClient(platform.url);
  const aspect = await client.addAspect(entity, { $schema: schema, text: "a", at: new Date(0) });
  const content = { $schema: schema, text: "a", at: "1970-01-01T00:00:00.000Z", $entity: entity };
  expect(aspect).toMatchObject({ urn: "urn:platform:aspect:1", entity, schema, content });
  expect((await aspect.refresh()).validTo).toBeUndefined();
  await aspect.retract();
  expect((await aspect.refresh()).validTo).toBe("2026-01-02T00:00:00Z");
  expect(await collect(client.listAspects({ entity }))).toEqual([]);
  expect(urls().slice(0, 3)).toEqual([
    "POST /aspects?entity=urn%3Aexample%3Aentity%2Fa%3Fb%23c&schema=urn%3Aexample%3Aschema.note.1",
    "GET /aspects/urn%3Aplatform%3Aaspect%3A1",
    "DELETE /aspects/urn%3Aplatform%3Aaspect%3A1",
  ]);
});

test("schema and policy may come from the options; an update is a PUT", async () => {
  const client = platformClient(platform.url);
  await client.updateAspect("urn:e", { text: "a" }, { schema, policy: "urn:platform:policy:x" });
  expect(urls()).toEqual([
    "PUT /aspects?entity=urn%3Ae&schema=urn%3Aexample%3Aschema.note.1&policy=urn%3Aplatform%3Apolicy%3Ax",
  ]);
  expect(JSON.parse(String(platform.calls[0]?.body))).toEqual({ $schema: schema, text: "a", $entity: "urn:e" });
});

test("a list fetches its pages as it goes on", async () => {
  const client = platformClient(platform.url);
  for (let n = 0; n < 120; n++) {
    const id = `urn:platform:aspect:${n}`;
    platform.aspects.set(id, { id, entity: "urn:e", schema, content: { n } });
  }
  expect((await collect(client.listAspects({ entity: "urn:e" }))).map(({ content }) => content)).toEqual(
    Array.from({ length: 120 }, (_, n) => ({ n })),
  );
  expect(urls()).toEqual([
    "GET /aspects?entity=urn%3Ae&order-by=valid_from&order-direction=DESC&include-content=true&limit=50",
    "GET /aspects?entity=urn%3Ae&order-by=valid_from&order-direction=DESC&include-content=true&limit=50&page=50",
    "GET /aspects?entity=urn%3Ae&order-by=valid_from&order-direction=DESC&include-content=true&limit=50&page=100",
  ]);
  expect(await collect(client.listAspects({ schema: "urn:example:%", limit: 60 }))).toHaveLength(60);
  expect(platform.calls).toHaveLength(5);
  for await (const first of client.listAspects()) {
    expect(first.content).toEqual({ n: 0 });
    break;
  }
  expect(platform.calls).toHaveLength(6);
});

test("all filters of a list are sent", async () => {
  const filter = {
    entity: "e",
    schema: "s%",
    contentPath: "$.a",
    atTime: new Date(0),
    filter: "f='1'",
    orderBy: "entity",
    ...({ orderDirection: "ASC", includeContent: false, limit: 3 } as const),
  };
  await collect(platformClient(platform.url).listAspects(filter));
  expect(Object.fromEntries(new URL(platform.calls[0]?.url ?? "", platform.url).searchParams)).toEqual({
    entity: "e",
    schema: "s%",
    "content-path": "$.a",
    "at-time": "1970-01-01T00:00:00.000Z",
    filter: "f='1'",
    "order-by": "entity",
    "order-direction": "ASC",
    "include-content": "false",
    limit: "3",
  });
});

test("a lost page is asked again", async () => {
  platform.aspects.set("a", { id: "a", entity: "urn:e", schema });
  platform.fail("GET", "/aspects", 503, "reset", "truncated");
  expect(await collect(platformClient(platform.url).listAspects())).toHaveLength(1);
  expect(platform.calls).toHaveLength(4);
});

test.each([
  ["web-page", "the platform's answer (text/html) is not a JSON object. Check PLATFORM_BASE_URL."],
  ["huge", "the answer has more than 33554432 bytes"],
  [404, "the platform does not know it. Check the URN, and that its policy lets this job see it. It says: made up"],
] as const)("%s instead of a list", async (fault, problem) => {
  platform.fail("GET", "/aspects", fault);
  await expect(collect(platformClient(platform.url).listAspects())).rejects.toThrow(`Cannot list aspects: ${problem}`);
  expect(platform.calls).toHaveLength(1);
});

test.each([
  ["", {}, "An aspect needs the URN of its entity."],
  ["urn:e", {}, "An aspect needs the URN of its schema: give it a `$schema`, or pass the option `schema`."],
  ["urn:e", [], "An aspect must be an object."],
  ["urn:e", { $schema: "s", n: 1n }, "The aspect s is not valid JSON: Do not know how to serialize a BigInt"],
])("a mistake is told before anything is sent: %j %o", async (urn, aspect, message) => {
  await expect(platformClient(platform.url).addAspect(urn, aspect)).rejects.toThrow(new TypeError(message));
  expect(platform.calls).toEqual([]);
});
