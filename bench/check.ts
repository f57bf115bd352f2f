/**
 * How long `tenon check` takes for 100 tools, alone and with another contract to compare with: the same one, and those
 * in which ten or all requests took fewer values. `npm run build && node bench/check.ts [--quick] [--json FILE]`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { atMost } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { runProcess } from "./lib/run-process.ts";
import { benchScript } from "./lib/script.ts";
import { makeProject } from "./make-project.ts";

const { quick, progress, finish } = benchScript();
const cli = join(resolve(import.meta.dirname, ".."), "dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "tenon-bench-check-"));
const plain = "tenon check";
const [same, some, all] = [
  "against the same contract",
  "against one in which ten requests changed",
  "against one in which every request changed",
];

/** The definition with fewer legal values in some requests, so that each change needs a proof. */
function narrower(text: string, most: number): string {
  let changed = 0;
  return JSON.stringify(JSON.parse(text), (key, value: unknown) => {
    if (key !== "request-schema" || changed++ >= most) return value;
    const schema = JSON.stringify(value).replaceAll('"type":"string"', '"type":"string","maxLength":5');
    return JSON.parse(schema.replaceAll('"description":"', '"description":"Once: ')) as unknown;
  });
}

try {
  progress("check: making a project of 100 tools");
  makeProject({ folder, tools: 100 });
  runProcess([process.execPath, cli, "generate"], folder);
  const text = readFileSync(join(folder, "service.json"), "utf8");
  writeFileSync(join(folder, "some.json"), narrower(text, 10));
  writeFileSync(join(folder, "all.json"), narrower(text, Infinity));
  const samples = await interleave(
    [
      [plain, []],
      [same, ["--against", "service.json"]],
      [some, ["--against", "some.json"]],
      [all, ["--against", "all.json"]],
    ].map(([name, words]) => ({
      name: name as string,
      sample: () => runProcess([process.execPath, cli, "check", ...(words as readonly string[])], folder),
    })),
    { rounds: quick ? 3 : 15 },
  );
  finish([
    {
      id: "check",
      name: "`tenon check` of 100 tools, whole process",
      unit: "ms",
      better: "lower",
      rows: samples.rows("wall"),
      goals: [same, some].map((name) =>
        atMost(200, `${name}, over ${plain}`, samples.difference("wall", name, plain), "ms"),
      ),
    },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
