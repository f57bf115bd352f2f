import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { oldestNode } from "../../../../runtime/contract/oldest-node.ts";

test("the oldest Node is that of package.json", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${oldestNode}`);
});
