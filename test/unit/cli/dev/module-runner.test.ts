import { realpathSync } from "node:fs";
import module, { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { openDevService } from "../../../support/dev-service.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
setFlagsFromString("--no-expose-gc");

afterEach(() => void Reflect.deleteProperty(globalThis, "gate"));

test("a replaced module is freed, and its source map with it, once nothing of it is in use", async () => {
  interface Exports {
    readonly tool: { readonly call?: () => number };
  }
  const { build, outdir } = openDevService<Exports>({
    "src/service.ts": 'export { tool } from "./tool.js";\n',
    "src/tool.ts": "export const tool = { call: () => 1 };\n",
  });
  const path = join(realpathSync(outdir), "tool-1.1.cjs");
  process.setSourceMapsEnabled(true);
  let call = (await build()).tool.call;
  const tool = new WeakRef((await build()).tool);
  const next = await build({ "src/tool.ts": "export const tool = { call: () => 2 };\n" });
  // References count until the event loop turns.
  await setImmediate();
  collect();
  expect([call?.(), next.tool.call?.()]).toEqual([1, 2]);
  expect(module.findSourceMap(path)?.payload.sources[0]).toMatch(/src\/tool\.ts$/);
  call = undefined;
  await expect
    .poll(() => {
      collect();
      return [tool.deref(), module.findSourceMap(path)];
    })
    .toEqual([undefined, undefined]);
});

test("replaced code that runs goes on, and shares what it imports with the code of its time", async () => {
  interface Exports {
    readonly later: () => Promise<{ readonly state: { n: number; readonly of: string } }>;
    readonly other: Exports["later"];
  }
  const later = 'export const later = () => import("./state.js");\n';
  const { build } = openDevService<Exports>({
    "src/service.ts": 'export { later } from "./a.js";\nexport { later as other } from "./b.js";\n',
    "src/a.ts": later,
    "src/b.ts": later,
    "src/state.ts": "export const state = { n: 0, of: 'the first' };\n",
  });
  const first = await build();
  const second = await build({ "src/state.ts": "export const state = { n: 0, of: 'the second' };\n" });
  (await first.later()).state.n = 7;
  expect((await first.other()).state).toEqual({ n: 7, of: "the first" });
  expect((await second.later()).state).toEqual({ n: 0, of: "the second" });
});

test("imports stay bound to what they name, in packages and in Node as well", async () => {
  interface Exports {
    readonly seen: () => readonly unknown[];
    readonly count: () => void;
  }
  const { build } = openDevService<Exports>({
    "src/service.ts": `import { hostname } from "node:os";
import { own, count as countOwn } from "./own.js";
import { inPackage, countInPackage } from "package";
export const seen = () => [own, inPackage, hostname()];
export const count = () => { countOwn(); countInPackage(); };
`,
    "src/own.ts": "export let own = 0;\nexport const count = () => { own++; };\n",
    "node_modules/package/package.json": '{ "type": "module", "main": "./index.js" }',
    "node_modules/package/index.js":
      "export let inPackage = 0;\nexport const countInPackage = () => { inPackage++; };\n",
  });
  const { seen, count } = await build();
  const { hostname } = os;
  expect(seen()).toEqual([0, 0, hostname()]);
  try {
    os.hostname = () => "patched";
    syncBuiltinESMExports();
    count();
    expect(seen()).toEqual([1, 1, "patched"]);
  } finally {
    os.hostname = hostname;
    syncBuiltinESMExports();
  }
});

test("an import of what a module does not export is an error, with the line of the import", async () => {
  const { build } = openDevService({
    "src/service.ts": 'import { present } from "./own.js";\nexport const all = present;\n',
    "src/own.ts": "export const present = 1;\n",
  });
  await build();
  const missing = build({ "src/service.ts": 'import { absent } from "./own.js";\nexport const all = absent;\n' });
  await expect(missing).rejects.toThrow(SyntaxError);
  await expect(missing).rejects.toThrow("does not provide an export named 'absent'");
  const outside = build({ "src/service.ts": 'import { absent } from "node:os";\nexport const all = absent;\n' });
  await expect(outside).rejects.toThrow("The requested module 'node:os' does not provide an export named 'absent'");
});

test("modules that import one another are loaded from both ends at once", async () => {
  interface Exports {
    readonly both: () => Promise<readonly { readonly name: string; readonly of: () => string }[]>;
  }
  const { build } = openDevService<Exports>({
    "src/service.ts": 'export const both = () => Promise.all([import("./a.js"), import("./b.js")]);\n',
    "src/a.ts": 'import { name as b } from "./b.js";\nawait 0;\nexport const name = "a";\nexport const of = () => b;\n',
    "src/b.ts": 'import { name as a } from "./a.js";\nawait 0;\nexport const name = "b";\nexport const of = () => a;\n',
  });
  const [a, b] = await (await build()).both();
  expect([a?.name, a?.of(), b?.name, b?.of()]).toEqual(["a", "b", "b", "a"]);
});

test("a module is evaluated once: who imports it meanwhile waits, and its error stays", async () => {
  interface Exports {
    readonly slow: () => Promise<{ readonly value: number }>;
    readonly bad: () => Promise<unknown>;
  }
  let open = (): void => {};
  Reflect.set(globalThis, "gate", new Promise<void>((resolve) => (open = resolve)));
  const { build } = openDevService<Exports>({
    "src/service.ts": 'export const slow = () => import("./slow.js");\nexport const bad = () => import("./bad.js");\n',
    "src/slow.ts": 'await Reflect.get(globalThis, "gate");\nexport const value = 1;\n',
    "src/bad.ts": 'export {};\nthrow new Error("bad");\n',
  });
  const { slow, bad } = await build();
  const [first, second] = [slow(), slow()];
  open();
  expect(await second).toBe(await first);
  expect((await first).value).toBe(1);
  const errors = await Promise.all([bad().catch((error: unknown) => error), bad().catch((error: unknown) => error)]);
  expect(errors[0]).toEqual(new Error("bad"));
  expect(errors[1]).toBe(errors[0]);
});

test("a module knows where it is, and resolves from there", async () => {
  interface Exports {
    readonly meta: ImportMeta;
    readonly kinds: readonly string[];
  }
  const { build, outdir } = openDevService<Exports>({
    "src/service.ts": `export const meta = import.meta;
declare const module: unknown, exports: unknown;
export const kinds = [typeof module, typeof exports, typeof this];
`,
    "node_modules/found/package.json": '{ "type": "module", "exports": { "import": "./es.js" } }',
    "node_modules/found/es.js": "",
  });
  const { meta, kinds } = await build();
  const folder = realpathSync(outdir);
  const path = join(folder, "service-0.1.cjs");
  expect(meta).toMatchObject({ url: pathToFileURL(path).href, filename: path, dirname: folder });
  expect(meta.resolve("found")).toMatch(/node_modules\/found\/es\.js$/);
  expect(kinds).toEqual(["undefined", "undefined", "undefined"]);
});
