import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFileStates, type RecordedInputs } from "../../../../../plugin/compile/cache/file-states.ts";
import {
  type CachedModule,
  type ModuleCache,
  openModuleCache,
} from "../../../../../plugin/compile/cache/module-cache.ts";
import type { CompiledModule } from "../../../../../plugin/compile/compiled-module.ts";
import { temporaryFolder, writeFiles } from "../../../../support/temporary-folder.ts";

const none: RecordedInputs = { files: {}, missing: [], links: {}, ambient: {} };

function open(root: string, fingerprint = "one"): ModuleCache {
  const states = createFileStates(root);
  return openModuleCache({ folder: join(root, "cache"), root, fingerprint, states });
}

/** As a build of its own does. */
function keep(module: CompiledModule, text: string, inputs: RecordedInputs = none, root = dirname(module.file)): void {
  const cache = open(root);
  cache.set(module, Buffer.from(text), inputs);
  cache.flush();
}

/** As the next build does. */
function find(file: string, text: string, fingerprint?: string): CachedModule | undefined {
  return open(dirname(file), fingerprint).get(file, Buffer.from(text));
}

function moduleOf(root: string, level?: "warning" | "error"): CompiledModule {
  return {
    file: join(root, "tool.ts"),
    model: { file: "tool.ts", tools: [] },
    insertions: [{ offset: 3, text: "defineTool()" }],
    tools: [],
    diagnostics: level === undefined ? [] : [{ code: "TN203", level, message: "Hm." }],
    dependencies: [join(root, "model.ts")],
  };
}

function entries(root: string): readonly string[] {
  return readdirSync(join(root, "cache")).map((name) => join(root, "cache", name));
}

test("gives back what was kept, also to the next process, with absolute paths", () => {
  const root = temporaryFolder();
  keep(moduleOf(root, "warning"), "text", { ...none, missing: ["src/other.ts"] });
  const kept = find(join(root, "tool.ts"), "text");
  expect(kept).toEqual({ module: moduleOf(root, "warning"), missing: [join(root, "src/other.ts")] });
});

test("another text, file or fingerprint has no entry", () => {
  const root = temporaryFolder();
  keep(moduleOf(root), "text");
  expect(find(join(root, "tool.ts"), "text ")).toBeUndefined();
  expect(find(join(root, "other.ts"), "text")).toBeUndefined();
  expect(find(join(root, "tool.ts"), "text", "two")).toBeUndefined();
});

test("an entry for a later text takes the place of the earlier one", () => {
  const root = temporaryFolder();
  keep(moduleOf(root), "text");
  keep(moduleOf(root), "later");
  expect(find(join(root, "tool.ts"), "text")).toBeUndefined();
  expect(find(join(root, "tool.ts"), "later")).toBeDefined();
});

test("a project that was moved as a whole keeps its cache", () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  keep(moduleOf(from), "text");
  mkdirSync(join(to, "cache"));
  for (const path of entries(from)) writeFileSync(path.replace(from, to), readFileSync(path));
  expect(find(join(to, "tool.ts"), "text")?.module).toEqual(moduleOf(to));
});

test("what modules gave together is known as long as each is the one that was kept, in any order", () => {
  const root = temporaryFolder();
  const files = ["a.ts", "b.ts"];
  const before = open(root);
  const made = files.map((file) => ({ ...moduleOf(root), file: join(root, file) }));
  const outcome = { service: { root: "", place: "p", text: "t" } };
  before.setOutcome(made, outcome);
  expect(before.getOutcome(made)).toBeUndefined();
  for (const module of made) before.set(module, Buffer.from("text"), none);
  before.setOutcome(made, outcome);
  before.flush();
  const cache = open(root);
  const [a, b] = files.flatMap((file) => cache.get(join(root, file), Buffer.from("text"))?.module ?? []);
  if (a === undefined || b === undefined) throw new Error("Both are kept.");
  expect(cache.getOutcome([a, b])).toEqual(outcome);
  expect(cache.getOutcome([b, a])).toEqual(outcome);
  expect(cache.getOutcome([a])).toBeUndefined();
  const edited = { ...moduleOf(root), file: join(root, "b.ts") };
  cache.set(edited, Buffer.from("later"), none);
  expect(cache.getOutcome([a, edited])).toBeUndefined();
  expect(cache.getOutcome([a, { ...b }])).toBeUndefined();
});

test("results with errors are not kept", () => {
  const root = temporaryFolder();
  keep(moduleOf(root, "error"), "text");
  expect(find(join(root, "tool.ts"), "text")).toBeUndefined();
});

test.each([
  ["cut off", (text: string) => text.slice(0, -20)],
  ["empty", () => ""],
  ["of another content with valid JSON", (text: string) => text.replace("defineTool", "DEFINETOOL")],
  ["binary", () => "\u0000\uFFFD\n\n"],
])("an entry that is %s is as good as absent, and mended", (_what, damage) => {
  const root = temporaryFolder();
  keep(moduleOf(root), "text");
  const [path = ""] = entries(root);
  writeFileSync(path, damage(readFileSync(path, "utf8")));
  expect(find(join(root, "tool.ts"), "text")).toBeUndefined();
  keep(moduleOf(root), "text");
  expect(find(join(root, "tool.ts"), "text")).toBeDefined();
});

test("where nothing can be written there is no cache, and no error", () => {
  const root = temporaryFolder({ cache: "a file, not a folder" });
  keep(moduleOf(root), "text");
  expect(find(join(root, "tool.ts"), "text")).toBeUndefined();
});

test("packs of many other versions go, and so does what a killed build or an earlier version left", () => {
  const root = temporaryFolder();
  const names = Array.from({ length: 30 }, (_, index) => `cache/${index}.pack`);
  writeFiles(root, {
    ...Object.fromEntries(names.map((name) => [name, ""])),
    "cache/x.json": "",
    "cache/1.pack.1.tmp": "",
  });
  for (const [index, name] of names.entries()) utimesSync(join(root, name), 1000 + index, 1000 + index);
  utimesSync(join(root, "cache/1.pack.1.tmp"), 1, 1);
  writeFiles(root, { "cache/2.pack.2.tmp": "" });
  keep(moduleOf(root), "text");
  const left = readdirSync(join(root, "cache"));
  expect(left).toHaveLength(20 + 1);
  expect(left).toEqual(expect.arrayContaining(["29.pack", "11.pack", "one.pack", "2.pack.2.tmp"]));
});
