import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test, vi } from "vitest";
import { reachedFiles } from "../../../../plugin/compile/session.ts";
import type { TenonOptions } from "../../../../plugin/compile/options.ts";
import * as graph from "../../../../plugin/read/project/import-graph.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

vi.mock("../../../../plugin/read/project/import-graph.ts", { spy: true });

const files = {
  "package.json": '{ "name": "a", "type": "module", "imports": { "#b": "./src/b.ts" } }',
  "tsconfig.json": '{ "compilerOptions": { "module": "preserve", "paths": { "@/*": ["./src/*"] } } }',
  "main.ts": 'import "./src/a.js"; import "#b"; import "@/c.js"; import "./src/later.js"; import "lib";',
  "node_modules/tenon/package.json": "{}",
  "src/a.ts": "export {};",
  "src/b.ts": "export {};",
  "src/c.tsx": "export {};",
  "src/other.ts": "export {};",
};

/** The reached files, and how often imports were followed for them. */
async function look(root: string, options: TenonOptions = {}): Promise<readonly [files: string, followed: number]> {
  vi.mocked(graph.followImports).mockClear();
  const reached = await reachedFiles({ entry: join(root, "main.ts"), root }, options);
  const times = vi.mocked(graph.followImports).mock.calls.length;
  return [reached.map(({ file }) => relative(root, file)).join(" "), times];
}

const all = "main.ts src/a.ts src/b.ts src/c.tsx";

test("while nothing changes, imports are followed once", async () => {
  const root = temporaryFolder(files);
  expect(await look(root)).toEqual([all, 1]);
  expect(await look(root)).toEqual([all, 0]);
});

test.each([
  [
    "a file imports another",
    { "src/a.ts": 'import "./other.js";' },
    `main.ts src/a.ts src/other.ts src/b.ts src/c.tsx`,
  ],
  ["a missing file is created", { "src/later.ts": "export {};" }, `${all} src/later.ts`],
  ["a file that takes precedence is created", { "src/c.ts": "" }, "main.ts src/a.ts src/b.ts src/c.ts"],
  [
    "the tsconfig leads elsewhere",
    { "tsconfig.json": files["tsconfig.json"].replace("./src/*", "./x/*") },
    "main.ts src/a.ts src/b.ts",
  ],
  [
    "the package.json leads elsewhere",
    { "package.json": files["package.json"].replace("b.ts", "other.ts") },
    "main.ts src/a.ts src/other.ts src/c.tsx",
  ],
  [
    "a package is installed",
    { "node_modules/lib/package.json": '{ "main": "x.ts" }', "node_modules/lib/x.ts": "" },
    `${all} node_modules/lib/x.ts`,
  ],
  ["a nearer package.json is created", { "src/package.json": "{}" }, all],
])("%s: they are followed again", async (_name, changes, expected) => {
  const root = temporaryFolder(files);
  await look(root);
  writeFiles(root, changes);
  expect(await look(root)).toEqual([expected, 1]);
  expect(await look(root)).toEqual([expected, 0]);
});

test("a file that is removed is no longer reached", async () => {
  const root = temporaryFolder(files);
  await look(root);
  rmSync(join(root, "src/a.ts"));
  expect(await look(root)).toEqual(["main.ts src/b.ts src/c.tsx", 1]);
});

test("another level of a rule, a damaged file and a folder that cannot be written cost only time", async () => {
  const root = temporaryFolder(files);
  await look(root);
  expect(await look(root, { namespace: "other" })).toEqual([all, 1]);
  const folder = join(root, "node_modules/.cache/tenon/imports");
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"fingerprint":');
  expect(await look(root)).toEqual([all, 1]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "in the way");
  expect(await look(root)).toEqual([all, 1]);
});

test("without a cache they are followed each time, and nothing is written", async () => {
  const root = temporaryFolder(files);
  expect(await look(root, { cache: false })).toEqual([all, 1]);
  expect(await look(root, { cache: false })).toEqual([all, 1]);
  expect(readdirSync(join(root, "node_modules"))).toEqual(["tenon"]);
});
