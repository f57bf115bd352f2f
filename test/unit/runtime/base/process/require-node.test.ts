import { expect, test } from "vitest";
import { requireNode } from "../../../../../runtime/base/process/require-node.ts";
import { StartError } from "../../../../../runtime/base/start-error.ts";

test.each([
  { node: "22.19.0" },
  { node: "24.0.0" },
  { node: "20.11.1", deno: "2.0.0" },
  { node: "22.6.0", bun: "1.2.0" },
  {},
])("%j runs a service", (versions) => {
  expect(() => requireNode(versions)).not.toThrow();
});

test.each(["20.20.2", "22.18.0"])("Node %s does not, and says which one is needed", (node) => {
  expect(() => requireNode({ node })).toThrow(
    new StartError(
      `This is Node ${node}, and this service needs 22.19 or later. Install a newer Node, and start it again.`,
    ),
  );
});
