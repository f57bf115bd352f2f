import { ValueError } from "tenon";
import { callTool, fakePlatform, type FakePlatform } from "tenon/testing";
import { describe, expect, it } from "vitest";
import { writeReport } from "../src/write-report.ts";

const request = {
  topic: "The Solar System",
  paragraphs: ["It has eight planets."],
  references: ['"What Is The Solar System?" https://example.org/a', '"Gone" https://example.org/b'],
};

/** A platform with a fact checker that confirms the first reference. */
function platformWith(answer?: unknown): FakePlatform {
  const verdict = (reference: string, index: number): object =>
    index === 0
      ? { reference, verdict: "confirmed", reason: "It is there." }
      : { reference, verdict: "unreachable", reason: "The page answers 404." };
  return fakePlatform({
    services: [
      {
        name: "Fact checker",
        run(data, job) {
          job.report({ $schema: "urn:x", name: "reference:1" });
          const { references } = data as { references: string[] };
          if (answer instanceof Error) throw answer;
          return answer ?? { references: references.map(verdict), confirmed: 1 };
        },
      },
    ],
  });
}

async function stored(platform: FakePlatform): Promise<string[]> {
  return Promise.all((await platform.artifacts()).map(async (one) => Buffer.from(await one.bytes()).toString()));
}

describe("writeReport", () => {
  it("stores a report that says which references are not confirmed", async () => {
    const platform = platformWith();
    const { result, steps } = await callTool(writeReport, request, { platform });
    expect(result).toMatchObject({
      references: 2,
      confirmed: 1,
      factCheck: expect.stringMatching(/^urn:platform:job:/),
    });
    expect(platform.requests).toEqual([{ service: "Fact checker", data: { references: request.references } }]);
    expect(await stored(platform)).toEqual([
      `# The Solar System

It has eight planets.

## References

1. "What Is The Solar System?" https://example.org/a
2. "Gone" https://example.org/b — **not confirmed:** The page answers 404.
`,
    ]);
    expect(steps.map(({ name, finished }) => [name, finished?.["message"]])).toEqual([
      ["check", "1 of 2 are confirmed"],
      ["write", `Stored as ${result.report}`],
    ]);
    expect(steps[0]?.progress).toEqual([{ from: result.factCheck, event: { $schema: "urn:x", name: "reference:1" } }]);
  });

  it("asks nobody when there is nothing to check", async () => {
    const platform = fakePlatform();
    const { result } = await callTool(writeReport, { ...request, references: [] }, { platform });
    expect([result.factCheck, platform.requests, (await stored(platform))[0]]).toEqual([
      undefined,
      [],
      "# The Solar System\n\nIt has eight planets.\n",
    ]);
  });

  it.each([
    ["there is no such service", fakePlatform(), "user-input", "The references cannot be checked"],
    ["it refuses the references", platformWith(new ValueError("too many")), "user-input", "refused the references"],
    ["it fails", platformWith(new Error("a secret")), "system", "The tool failed"],
    ["it answers something else", platformWith({ hello: "world" }), "system", "The tool failed"],
  ])("no report is stored when %s", async (_, platform, kind, message) => {
    await expect(callTool(writeReport, request, { platform })).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(message),
    });
    expect(await stored(platform)).toEqual([]);
  });
});
