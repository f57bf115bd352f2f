import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { oldestNode, requireNode } from "../../../../plugin/compile/node-version.ts";

test("the oldest Node is that of package.json", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${oldestNode}`);
});

describe("a Node", () => {
  test.each(["22.19.0", "22.20.1", "24.0.0"])("%s is taken", (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  test.each(["20.20.2", "22.18.0", "8.9.0"])("%s is refused in one line", (version) => {
    const message = `tenon: this is Node ${version}, and tenon needs 22.19 or later. Install a newer Node, and build again.`;
    expect(() => requireNode(version)).toThrow(expect.objectContaining({ message, stack: message }));
  });
});
