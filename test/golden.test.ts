import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { formatReport } from "../plugin/diagnostics/format.ts";
import { openProject } from "../plugin/read/project.ts";
import type { ModuleReading } from "../plugin/read/project.ts";

const folder = join(import.meta.dirname, "golden");
const update = process.env["UPDATE"] !== undefined;
const cases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** What stands beside `tool.ts`, and how it is made from the reading. An empty text means that there is no such file. */
const stages: Readonly<Record<string, (reading: ModuleReading) => string>> = {
  "model.json": (reading) => `${JSON.stringify(reading.module, undefined, 2)}\n`,
  "report.txt": (reading) => formatReport(reading.diagnostics),
};

const rules = { "missing-field-text": "off" } as const;
const lean = openProject({ root: folder, rules });
const full = openProject({ root: folder, rules, lean: false });
afterAll(() => {
  lean.dispose();
  full.dispose();
});

describe.each(cases)("%s", (name) => {
  const file = join(folder, name, "tool.ts");

  test.each(Object.entries(stages))("%s", (stage, make) => {
    const path = join(folder, name, stage);
    const text = make(lean.read(file));
    if (update && text === "") rmSync(path, { force: true });
    else if (update) writeFileSync(path, text);
    expect(text).toBe(existsSync(path) ? readFileSync(path, "utf8") : "");
  });

  test("the program without the platform's libraries reads the same", () => {
    const fresh = openProject({ root: folder, rules });
    const { module, diagnostics } = fresh.read(file);
    fresh.dispose();
    const other = full.read(file);
    expect({ module, diagnostics }).toEqual({ module: other.module, diagnostics: other.diagnostics });
  });
});
