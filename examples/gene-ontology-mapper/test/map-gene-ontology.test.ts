import { callTool } from "tenon/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mapGeneOntology } from "../src/map-gene-ontology.ts";
import { startStub, type Stub, type StubOptions } from "../stub/start-stub.ts";

let stub: Stub | undefined;

async function serve(options: StubOptions = {}): Promise<Stub> {
  stub = await startStub(options);
  vi.stubEnv("GO_SERVICE_URL", stub.url);
  return stub;
}

beforeEach(() => vi.stubEnv("GO_SERVICE_URL", undefined));
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await stub?.stop();
  stub = undefined;
});

describe("mapGeneOntology", () => {
  it("returns the annotations of each id, in the order asked for", async () => {
    await serve();
    const { result } = await callTool(mapGeneOntology, { ids: ["Q9H0H5", "P12345"], category: "BP" });
    const { results, problems } = result;
    expect(Object.keys(results)).toEqual(["Q9H0H5", "P12345"]);
    expect(results["P12345"]?.[0]).toEqual({
      id: "UniProtKB:P12345!296618610",
      geneProductId: "UniProtKB:P12345",
      qualifier: "involved_in",
      goId: "GO:0006103",
      goAspect: "biological_process",
      goEvidence: "ISS",
      assignedBy: "UniProt",
      symbol: "GOT2",
      reference: "GO_REF:0000024",
    });
    expect(
      new Set(
        Object.values(results)
          .flat()
          .map(({ goAspect }) => goAspect),
      ),
    ).toEqual(new Set(["biological_process"]));
    expect(problems).toBeUndefined();
  });

  it("reads all pages, and all categories when none is given", async () => {
    const { requests } = await serve({ pageSize: 5 });
    const { results } = (await callTool(mapGeneOntology, { ids: ["Q9H0H5"] })).result;
    expect(results["Q9H0H5"]).toHaveLength(12);
    expect(requests).toEqual([1, 2, 3].map((page) => `?geneProductId=Q9H0H5&limit=100&page=${page}`));
  });

  it("asks once for a repeated id", async () => {
    const { requests } = await serve({ pageSize: 100 });
    const { results } = (await callTool(mapGeneOntology, { ids: ["P12345", "P12345", "P12345"] })).result;
    expect(Object.keys(results)).toEqual(["P12345"]);
    expect(requests).toHaveLength(1);
  });

  it("has at most four requests open", async () => {
    const { mostAtOnce } = await serve({ latency: 50 });
    await callTool(mapGeneOntology, { ids: ["P12345", "Q9H0H5", "P04637", "P69905", "P01308"] });
    // On a busy machine the first answer may come before the fourth request is sent.
    expect(mostAtOnce()).toBeLessThanOrEqual(4);
    expect(mostAtOnce()).toBeGreaterThan(1);
  });

  it("reports a step per id", async () => {
    await serve();
    const { steps } = await callTool(mapGeneOntology, { ids: ["P69905"], category: "CC" });
    expect(steps).toEqual([
      {
        name: "P69905",
        started: { message: "Looking up P69905" },
        progress: [],
        finished: { message: "2 annotations", annotations: 2 },
      },
    ]);
  });

  it("tries again after a 503 and says so in the step", async () => {
    const { requests } = await serve({ failEvery: 2 });
    const { result, steps } = await callTool(mapGeneOntology, { ids: ["P12345"] });
    expect(result.results["P12345"]).toHaveLength(9);
    expect(requests).toHaveLength(3);
    expect(steps[0]?.progress).toEqual([{ message: "the annotation service answered 503; trying again", attempt: 1 }]);
  });

  it("reports an id that keeps failing beside the results of the others", async () => {
    const { requests } = await serve({ broken: ["P04637"] });
    const { result } = await callTool(mapGeneOntology, { ids: ["P04637", "P12345"], category: "MF" });
    const { results, problems } = result;
    expect(Object.keys(results)).toEqual(["P12345"]);
    expect(problems).toEqual([{ id: "P04637", message: "the annotation service answered 503" }]);
    expect(requests.filter((query) => query.includes("P04637"))).toHaveLength(4);
  });

  it("fails as a system error when no id could be looked up", async () => {
    const { url } = await serve({ broken: ["P04637"] });
    await expect(callTool(mapGeneOntology, { ids: ["P04637"] })).rejects.toMatchObject({
      kind: "system",
      cause: { message: `No accession could be looked up at ${url}/. P04637: the annotation service answered 503` },
    });
  });

  it("names all unknown ids in one user error", async () => {
    await serve();
    await expect(callTool(mapGeneOntology, { ids: ["P00000", "P12345", "P00001"] })).rejects.toMatchObject({
      kind: "user-input",
      message: "These ids are not known to the annotation service: P00000, P00001. An accession looks like P12345.",
    });
  });

  it("refuses ids that are not accessions before it asks anyone", async () => {
    const { requests } = await serve();
    await expect(callTool(mapGeneOntology, { ids: ["P12345", "../../etc"] })).rejects.toMatchObject({
      kind: "user-input",
      message: "This id is not of UniProt's form: ../../etc. An accession looks like P12345.",
    });
    expect(requests).toEqual([]);
  });

  it("stops when the job is cancelled, and leaves nothing running", async () => {
    const { requests } = await serve({ latency: 60_000 });
    const abort = new AbortController();
    const failure = callTool(mapGeneOntology, { ids: ["P12345", "Q9H0H5"] }, { signal: abort.signal });
    await vi.waitUntil(() => requests.length === 2);
    abort.abort(new Error("cancelled by the caller"));
    await expect(failure).rejects.toThrow("cancelled by the caller");
  });

  it.each([
    [undefined, "GO_SERVICE_URL is not set."],
    ["go.example", "GO_SERVICE_URL is not an http URL: go.example."],
  ])("says what to do when GO_SERVICE_URL is %s", async (url, text) => {
    vi.stubEnv("GO_SERVICE_URL", url);
    await expect(callTool(mapGeneOntology, { ids: ["P12345"] })).rejects.toMatchObject({
      kind: "system",
      cause: { message: expect.stringContaining(text) },
    });
  });

  it("says when the service cannot be reached", async () => {
    const { stop } = await serve();
    await stop();
    stub = undefined;
    // No jitter, no waiting.
    vi.spyOn(Math, "random").mockReturnValue(0);
    await expect(callTool(mapGeneOntology, { ids: ["P12345"] })).rejects.toMatchObject({
      cause: { message: expect.stringContaining("P12345: the annotation service cannot be reached (ECONNREFUSED)") },
    });
  });
});
