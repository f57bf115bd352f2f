import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStub } from "../../examples/gene-ontology-mapper/stub/start-stub.ts";
import { buildExample, tenonIn } from "../support/build-example.ts";
import { type Served, serve } from "../support/packed-project.ts";

let stub: Awaited<ReturnType<typeof startStub>>;

beforeAll(async () => {
  stub = await startStub({ latency: 1, failEvery: 4 });
});
afterAll(() => stub.stop());

/**
 * Builds an example, whose committed service definition is up to date, into an empty folder and serves it from there.
 */
async function serveExample(
  example: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), `tenon-${example}-`));
  await buildExample(example, join(folder, "built"));
  cpSync(join(folder, "built"), join(folder, "moved"), { recursive: true });
  const served = await serve(join(folder, "moved/service.mjs"), [], { GO_SERVICE_URL: stub.url, ...env });
  const stop = async (): Promise<number | null> => {
    const code = await served.stop();
    rmSync(folder, { recursive: true, force: true });
    return code;
  };
  return { ...served, folder, stop };
}

async function post(url: string, file: string): Promise<Response> {
  return fetch(`${url}/tool`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "wait=20" },
    body: readFileSync(file),
  });
}

test("the committed service definition of all tools in one service is up to date", () => {
  expect(tenonIn("all", "check")).toMatchObject({ status: 0 });
});

test("is-prime answers over REST", async () => {
  const served = await serveExample("is-prime");
  const response = await post(served.url, "examples/is-prime/tests/request.json");
  expect(await response.text()).toBe('{"$schema":"urn:example:schema.is-prime.1","number":997,"isPrime":true}');
  expect(await served.stop()).toBe(0);
});

test("gene-ontology-mapper asks the outside service for each id and answers in their order", async () => {
  const served = await serveExample("gene-ontology-mapper");
  const response = await post(served.url, "examples/gene-ontology-mapper/tests/two-bp.json");
  const { results } = (await response.json()) as { results: Record<string, { goId: string; symbol: string }[]> };
  expect(Object.keys(results)).toEqual(["P12345", "Q9H0H5"]);
  expect(results.P12345?.[0]).toMatchObject({ goId: "GO:0006103", symbol: "GOT2" });
  expect(await served.stop()).toBe(0);
});

test("wave-function-collapse answers with a PNG", async () => {
  const served = await serveExample("wave-function-collapse");
  const response = await post(served.url, "examples/wave-function-collapse/tests/small.json");
  expect(response.headers.get("content-type")).toBe("image/png");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)].every((side) => side >= 16)).toBe(true);
  expect(await served.stop()).toBe(0);
});

test("chat-tool brings its client along, and reports the answer piece by piece", async () => {
  const mock = new LLMock({ port: 0 });
  mock.loadFixtureFile("examples/chat-tool/mock/tenon.json");
  const served = await serveExample("chat-tool", { LLM_GATEWAY_PROXY: await mock.start() });
  try {
    const response = await fetch(`${served.url}/tool`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait=20", "job-id": "first" },
      body: readFileSync("examples/chat-tool/tests/request.json"),
    });
    const { answer } = (await response.json()) as { answer: string };
    expect(answer).toBe("The tongue of a joint; it fits into a mortise.");
    const events = await (await fetch(`${served.url}/jobs/first/events`)).text();
    const pieces = [...events.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text);
    expect(pieces).toEqual(["The tongue o", "f a joint; i", "t fits into ", "a mortise."]);
    const [request] = mock.getRequests();
    expect(request?.headers["platform-job-id"]).toBe("urn:platform:job:first");
  } finally {
    expect(await served.stop()).toBe(0);
    await mock.stop();
  }
});
