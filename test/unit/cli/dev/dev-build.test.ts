import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openDevService } from "../../../support/dev-service.ts";

const counting = (name: string): string =>
  `const all = ((globalThis as { evaluated?: unknown }).evaluated ??= {}) as Record<string, number>;\nall.${name} = (all.${name} ?? 0) + 1;\n`;

/** Exports of the services of these tests; each has some of it. */
interface Service {
  readonly seen: object;
  later(): Promise<object>;
  common(): Promise<unknown>;
  json(): Promise<unknown>;
  readonly state: { n: number };
  readonly a: unknown;
  call(): unknown;
  readonly b: unknown;
  readonly sum: number;
}

const open = openDevService<Service>;
const evaluated = (): unknown => Reflect.get(globalThis, "evaluated");
afterEach(() => void Reflect.deleteProperty(globalThis, "evaluated"));

test("modules mean what they mean in a bundle", async () => {
  const { build } = open({
    "tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }',
    "src/service.ts": `import { word } from "~/words.js";
import { even } from "./even.ts";
import data from "./data.json" with { type: "json" };
import callable, { named } from "common";
import * as wide from "wide";
import { request } from "node:http";
import { old } from "./old.cjs";
export * from "wide";
export const seen = { word, even: even(10), data, called: callable(), named, wide: { ...wide }, http: typeof request, old };
export const later = async () => ({ ...(await import("./later.js")) });
export const common = async () => (await import("common")).named;
export const json = async () => (await import("./data.json", { with: { type: "json" } })).default;
`,
    "src/words.ts": 'export type Word = string;\nexport const word: Word = await Promise.resolve("word");\n',
    "src/later.ts": "export const late = true;\n",
    "src/even.ts":
      'import { odd } from "./odd.js";\nexport const even = (n: number): boolean => n === 0 || odd(n - 1);\n',
    "src/odd.ts":
      'import { even } from "./even.js";\nexport const odd = (n: number): boolean => n !== 0 && even(n - 1);\n',
    "src/data.json": '{ "a": 1 }',
    "src/old.cjs": "exports.old = 5;\n",
    "node_modules/common/package.json": "{}",
    // Node itself would find no export `named` here.
    "node_modules/common/index.js":
      'const name = "named";\nmodule.exports = () => "called";\nmodule.exports[name] = 1;\n',
    "node_modules/wide/package.json": '{ "type": "module", "exports": "./main.js" }',
    "node_modules/wide/main.js": 'export const one = 1;\nexport { two } from "./two";\n',
    "node_modules/wide/two.js": "export const two = 2;\n",
  });
  const service = await build();
  expect(service.seen).toEqual({
    word: "word",
    even: true,
    data: { a: 1 },
    called: "called",
    named: 1,
    http: "function",
    old: 5,
    wide: { one: 1, two: 2 },
  });
  expect(service).toMatchObject({ one: 1, two: 2 });
  expect(await service.later()).toEqual({ late: true });
  expect(await service.common()).toBe(1);
  expect(await service.json()).toEqual({ a: 1 });
});

test("a save loads what changed and what imports it, and leaves the rest as it is", async () => {
  const { build, dev, outdir } = open({
    "src/service.ts": `export { call } from "./a.js";\nexport { b, state } from "./b.js";\n${counting("service")}`,
    "src/a.ts": `import { deep } from "./deep.js";\nexport const call = () => deep;\n${counting("a")}`,
    "src/b.ts": `export const b = 1;\nexport const state = { n: 0 };\n${counting("b")}`,
    "src/deep.ts": `export const deep = 1;\n${counting("deep")}`,
  });
  const first = await build();
  first.state.n = 7;
  expect(evaluated()).toEqual({ service: 1, a: 1, b: 1, deep: 1 });
  const second = await build({ "src/deep.ts": `export const deep = 2;\n${counting("deep")}` });
  expect(evaluated()).toEqual({ service: 2, a: 2, b: 1, deep: 2 });
  expect([first.call(), second.call(), second.state.n]).toEqual([1, 2, 7]);
  // Back to an earlier text is a change as well.
  expect((await build({ "src/deep.ts": `export const deep = 1;\n${counting("deep")}` })).call()).toBe(1);
  const files = readdirSync(outdir);
  const { entry } = await dev.build(new Set(), true);
  expect([basename(entry), readdirSync(outdir)]).toEqual(["service-0.3.cjs", files]);
  expect([...dev.files()].map((file) => basename(file)).toSorted()).toEqual(["a.ts", "b.ts", "deep.ts", "service.ts"]);
});

test("a mistake is told, and over with the file that mends it", async () => {
  const { build } = open({
    "src/service.ts": 'export { a } from "./a.js";\n',
    "src/a.ts": 'import { b } from "./b.js";\nexport const a = b;\n',
    "src/b.ts": "export const b = 1;\n",
  });
  await build();
  await expect(build({ "src/b.ts": "export const b = ;\n" })).rejects.toThrow("src/b.ts:1:18");
  // The broken file is needed no longer.
  expect((await build({ "src/a.ts": "export const a = 2;\n" })).a).toBe(2);
  expect(
    (await build({ "src/a.ts": 'export { b as a } from "./b.js";\n', "src/b.ts": "export const b = 3;\n" })).a,
  ).toBe(3);
  await expect(build({ "src/b.ts": undefined })).rejects.toThrow("./b.js");
  expect((await build({ "src/b.ts": "export const b = 4;\n" }, true)).a).toBe(4);
});

test("a build that could not be loaded is loaded anew with the next one", async () => {
  const { build, dev } = open({
    "src/service.ts": 'import "./a.js";\nexport { b } from "./b.js";\n',
    "src/a.ts": 'if (Reflect.get(globalThis, "evaluated") === undefined) throw new Error("not yet");\n',
    "src/b.ts": "export const b = 1;\n",
  });
  await expect(build()).rejects.toThrow("not yet");
  dev.retry(1);
  Reflect.set(globalThis, "evaluated", {});
  expect((await build({ "src/b.ts": "export const b = 2;\n" })).b).toBe(2);
});

test("a package that changed is bundled again", async () => {
  const { build } = open({
    "src/service.ts": 'import { one } from "esm";\nimport two from "cjs";\nexport const sum = one + two;\n',
    "node_modules/esm/package.json": '{ "type": "module" }',
    "node_modules/esm/index.js": "export const one = 1;\n",
    "node_modules/cjs/package.json": "{}",
    "node_modules/cjs/index.js": "module.exports = 2;\n",
  });
  expect((await build()).sum).toBe(3);
  expect((await build({ "node_modules/cjs/index.js": "module.exports = 3;\n" })).sum).toBe(4);
  expect((await build({ "node_modules/esm/index.js": "export const one = 2;\n" })).sum).toBe(5);
  expect((await build({ "node_modules/cjs/index.js": "module.exports = 2;\n" })).sum).toBe(4);
});
