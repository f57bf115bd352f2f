import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = pathToFileURL(join(import.meta.dirname, "../../../../plugin/compile/young-generation.ts")).href;

/** Megabytes of a process's young generation after it has made many objects that stay. */
function youngMegabytes(before: string): number {
  const script = `${before}
    const kept = [];
    for (let i = 0; i < 1_000_000; i++) kept.push({ i, next: [i] });
    const spaces = process.getBuiltinModule("node:v8").getHeapSpaceStatistics();
    console.log(spaces.find((one) => one.space_name === "new_space").space_size / 2 ** 20);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }));
}

test("while tools are compiled the young generation stays as small as it is", () => {
  const grown = youngMegabytes("");
  const kept = youngMegabytes(`(await import(${JSON.stringify(source)})).keepYoungGeneration();`);
  expect(grown).toBeGreaterThan(16);
  expect(kept).toBeLessThan(8);
});
