import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { reportMarkdown } from "../../cli/adopt/report-text.ts";
import { writeModules } from "../../cli/adopt/write-modules.ts";
import { readForeign } from "../../plugin/adopt/read-foreign.ts";
import { toolDefinition } from "../../plugin/emit/tool-definition.ts";
import { openProject } from "../support/open-project.ts";
import { differences, toolOf } from "./foreign/differences.ts";
import { openRecorder } from "./foreign/recorder.ts";

const folder = join(import.meta.dirname, "cases");
const update = process.env["UPDATE"] !== undefined;
const cases = readdirSync(folder);
/** Cases that are compared with the schemas of the original: they need no package but zod, and are carried over. */
const compared = new Set(["mcp-sdk", "shared-schemas", "zod-types"]);

function adopt(name: string): Readonly<Record<string, string>> {
  const adopted = readForeign(join(folder, name, "input"), "example");
  const files = writeModules(adopted, join(folder, name, "expected").replaceAll("\\", "/"), name);
  return {
    ...Object.fromEntries(files.map(({ path, text }) => [path, text])),
    "adopt.md": reportMarkdown(adopted),
  };
}

function expectedFiles(name: string): readonly string[] {
  return globSync("**/*.{ts,md}", { cwd: join(folder, name, "expected") }).toSorted();
}

test.each(cases)("%s gives the expected files", (name) => {
  const [files, out] = [adopt(name), join(folder, name, "expected")];
  if (update) {
    rmSync(out, { recursive: true, force: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(out, path)), { recursive: true });
      writeFileSync(join(out, path), text);
    }
  }
  const expected = expectedFiles(name).map((path) => [path, readFileSync(join(out, path), "utf8")]);
  expect(files).toEqual(Object.fromEntries(expected));
});

describe("the expected files", () => {
  const sources = cases.flatMap((name) =>
    expectedFiles(name)
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(folder, name, "expected", path)),
  );
  const project = openProject({ root: folder, roots: sources });
  afterAll(() => project.dispose());

  test.each(cases)("%s compiles, and has the schemas of the original", async (name) => {
    const readings = sources
      .filter((file) => file.startsWith(join(folder, name, "/")))
      .map((file) => project.read(file));
    const errors = readings.flatMap(({ diagnostics }) => diagnostics.filter(({ level }) => level === "error"));
    expect(errors.map(({ code, message, file }) => `${file} ${code} ${message}`)).toEqual([]);
    const tools = readings.flatMap(({ module }) => module.tools.map(toolDefinition));
    expect(tools.length).toBeGreaterThan(0);
    if (!compared.has(name)) return;
    for (const original of await originalTools(name)) {
      const now = tools.find((tool) => tool.name === original.name);
      const found = now && differences(original, toolOf(now.name, now.request?.schema));
      expect({ tool: original.name, found }).toEqual({ tool: original.name, found: [] });
    }
  });
});

/** The tools that the input registers. */
async function originalTools(name: string): Promise<readonly ReturnType<typeof toolOf>[]> {
  const recorder = openRecorder();
  for (const file of globSync("**/*.ts", { cwd: join(folder, name, "input") })) {
    const module = (await import(join(folder, name, "input", file))) as Readonly<Record<string, unknown>>;
    for (const [key, register] of Object.entries(module))
      if (typeof register === "function" && key.startsWith("register")) register(recorder.methods, {}, []);
  }
  return [...recorder.tools.values()].map((tool) => toolOf(tool.name, tool.request));
}
