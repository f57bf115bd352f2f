import { expect, test } from "vitest";
import { artifactLinks } from "../../../../../../runtime/fronts/mcp/results/artifact-links.ts";
import { renderResult } from "../../../../../../runtime/fronts/mcp/results/render-result.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";

const urn = (id: string): string => `urn:platform:artifact:${id}`;

test("each artifact of a result is linked once, by the name of its field", () => {
  const value = {
    report: urn("1"),
    plots: [urn("2"), urn("1")],
    other: { deep: [{ file: urn("3") }] },
    text: `see ${urn("4")}`,
  };
  expect(artifactLinks(value)).toEqual([
    { type: "resource_link", uri: urn("1"), name: "report" },
    { type: "resource_link", uri: urn("2"), name: "plots" },
    { type: "resource_link", uri: urn("3"), name: "file" },
  ]);
  expect(artifactLinks(urn("5"))).toEqual([{ type: "resource_link", uri: urn("5"), name: "artifact" }]);
  expect(artifactLinks(Array.from({ length: 30 }, (_, id) => urn(String(id))))).toHaveLength(20);
});

test("the links stand behind the text of the result", async () => {
  const tool = fakeTool(() => null);
  const json = JSON.stringify({ file: urn("1") });
  const { content } = await renderResult(tool, { kind: "json", json }, "urn:platform:job:1");
  expect(content).toEqual([
    { type: "text", text: json },
    { type: "resource_link", uri: urn("1"), name: "file" },
  ]);
  const plain = await renderResult(tool, { kind: "json", json: '{"a":1}' }, "urn:platform:job:1");
  expect(plain.content).toEqual([{ type: "text", text: '{"a":1}' }]);
});
