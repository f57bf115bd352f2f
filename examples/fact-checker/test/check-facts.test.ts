import { callTool } from "tenon/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFacts } from "../src/check-facts.ts";
import { startStub, type StubPages } from "../stub/start-stub.ts";

let pages: StubPages;
beforeAll(async () => {
  pages = await startStub();
});
afterAll(() => pages.stop());

describe("checkFacts", () => {
  it("says of each reference what became of it, in their order", async () => {
    const references = [
      `[1] "What Is The Solar System?" Space.com. ${pages.url}/solar-system.html.`,
      `[2] “The Sun” (${pages.url}/moon.html)`,
      `[3] "Gone" ${pages.url}/gone.html`,
      `[4] "Cut" ${pages.url}/cut`,
      `[5] ${pages.url}/moon.html`,
      '[6] "A book", 1999.',
    ];
    const { result, steps } = await callTool(checkFacts, { references });
    expect(result.references.map(({ reference }) => reference)).toEqual(references);
    // oxfmt-ignore
    expect(result.references.map(({ verdict }) => verdict)).toEqual([
      "confirmed", "title-not-found", "unreachable", "unreachable", "no-title", "no-address",
    ]);
    expect(result.references[0]?.url).toBe(`${pages.url}/solar-system.html`);
    expect([result.confirmed, steps.length]).toEqual([1, 6]);
    expect(steps.find(({ name }) => name === "reference:3")?.finished).toEqual({
      message: "The page answers 404.",
      verdict: "unreachable",
    });
  });

  it("checks as many as there are, and no page twice", async () => {
    const before = pages.requests.length;
    const references = Array.from({ length: 40 }, (_, n) => `[${n}] "The Moon" ${pages.url}/moon.html`);
    const { result } = await callTool(checkFacts, { references });
    expect([result.confirmed, pages.requests.length - before]).toEqual([40, 40]);
  });

  it("refuses a request without references", async () => {
    await expect(callTool(checkFacts, { references: [] })).rejects.toMatchObject({ kind: "validation" });
  });

  it("stops when the job is cancelled", async () => {
    const signal = AbortSignal.abort(new Error("no longer needed"));
    const references = [`"The Moon" ${pages.url}/moon.html`];
    await expect(callTool(checkFacts, { references }, { signal })).rejects.toMatchObject({ kind: "cancelled" });
  });
});
