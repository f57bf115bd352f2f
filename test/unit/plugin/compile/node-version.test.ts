import { describe, expect, test } from "vitest";
import { requireNode } from "../../../../plugin/compile/node-version.ts";

describe("a Node", () => {
  test.each(["22.19.0", "22.20.1", "24.0.0"])("%s is taken", (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  test.each(["20.20.2", "22.18.0", "8.9.0"])("%s is refused in one line", (version) => {
    const message = `tenon: this is Node ${version}, and tenon needs 22.19 or later. Install a newer Node, and build again.`;
    expect(() => requireNode(version)).toThrow(expect.objectContaining({ message, stack: message }));
  });
});
