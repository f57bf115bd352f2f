import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

// The suite has its own scenarios; this holds their number, and that nothing else fails than what is written down.
test("the official suite passes as README says", () => {
  const output = execFileSync(process.execPath, ["scripts/conformance.ts", "--check"], { encoding: "utf8" });
  expect(output.trimEnd().split("\n").at(-1)).toBe(
    "2026-07-28: 37/37 scored, 9/9 tasks, 3/3 skills · 2025-11-25: 30/30",
  );
  const readme = readFileSync("README.md", "utf8");
  expect(readme).toContain("| 2026-07-28 | 37/37 | 3/3 | 9/9 | 3/3 |");
  expect(readme).toContain("| 2025-11-25 | 30/30 |");
});
