import { join } from "node:path";
import { expect, test } from "vitest";
import { viteBuildDefaults, viteServeDefaults } from "../../../../../plugin/bundlers/hosts/vite-defaults.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const service = "await startLambdaServer(new Service({ name: 'S' }));";
const output = { entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name]-[hash].mjs" };
const noExternal = { ssr: { noExternal: true } };

test("a plain config builds src/service.ts for Node", () => {
  const root = temporaryFolder({ "src/service.ts": service });
  expect(viteBuildDefaults({}, "rolldownOptions", root)).toEqual({
    build: { ssr: true, target: "node22", rolldownOptions: { input: join(root, "src/service.ts"), output } },
    ...noExternal,
  });
});

test("the entry of package.json comes before it", () => {
  const root = temporaryFolder({
    "package.json": '{ "tenon": { "entry": "main.ts" } }',
    "main.ts": service,
    "src/service.ts": service,
  });
  expect(viteBuildDefaults({ root }, "rollupOptions").build?.rollupOptions?.input).toBe(join(root, "main.ts"));
});

test("an input that starts a service makes a server build", () => {
  const root = temporaryFolder({ "src/main.ts": service });
  const build = { rollupOptions: { input: "src/main.ts" } };
  expect(viteBuildDefaults({ root, build }, "rollupOptions")).toEqual({
    build: { ssr: true, target: "node22", rollupOptions: { output } },
    ...noExternal,
  });
  const library = viteBuildDefaults({ root, build: { lib: { entry: { main: "src/main.ts" } } } }, "rollupOptions");
  expect(library.build?.ssr).toBe(true);
});

test("other builds are left alone", () => {
  const root = temporaryFolder({ "index.html": "", "src/service.ts": service, "src/app.ts": "export {};" });
  expect(viteBuildDefaults({ root }, "rollupOptions")).toEqual({});
  expect(viteBuildDefaults({ root, build: { rollupOptions: { input: "src/app.ts" } } }, "rollupOptions")).toEqual({});
  expect(viteBuildDefaults({ root: temporaryFolder() }, "rollupOptions")).toEqual({});
});

test("what the user set is not in it", () => {
  const root = temporaryFolder({ "src/service.ts": service });
  const rollupOptions = { input: "src/service.ts", output: { entryFileNames: "a.js", chunkFileNames: "b.js" } };
  const user = { root, build: { ssr: true, target: "es2023", rollupOptions }, ssr: { noExternal: ["a"] } };
  expect(viteBuildDefaults(user, "rollupOptions")).toEqual({ build: { rollupOptions: { output: {} } } });
  const outputs = { root, build: { rollupOptions: { input: "src/service.ts", output: [{ format: "cjs" as const }] } } };
  expect(viteBuildDefaults(outputs, "rollupOptions").build?.rollupOptions?.output).toEqual({});
});

test("a server build of an application with tools gets its dependencies inside, and keeps its names", () => {
  const root = temporaryFolder({ "src/app.ts": 'import "./tool.js";', "src/tool.ts": "/** Adds. @tool */" });
  expect(viteBuildDefaults({ root, build: { ssr: "src/app.ts" } }, "rollupOptions")).toEqual({
    build: { target: "node22", rollupOptions: {} },
    ...noExternal,
  });
});

test("modules that are served as they are written get `using` lowered for a Node that does not know it", () => {
  expect(viteServeDefaults({}, true, "22.19.0")).toEqual({ oxc: { target: "node22" } });
  expect(viteServeDefaults({}, false, "22.19.0")).toEqual({ esbuild: { target: "node22" } });
  expect(viteServeDefaults({ oxc: { include: /x/ } }, true, "23.1.0")).toEqual({ oxc: { target: "node22" } });
});

test("newer versions of Node, and the user's own target, need nothing", () => {
  expect(viteServeDefaults({}, true, "24.0.0")).toEqual({});
  expect(viteServeDefaults({}, false, "26.1.0")).toEqual({});
  for (const [name, hasOxc] of [
    ["oxc", true],
    ["esbuild", false],
  ] as const)
    for (const own of [false, { target: "es2020" }] as const)
      expect(viteServeDefaults({ [name]: own }, hasOxc, "22.19.0")).toEqual({});
});

test("a server build without tools is left alone, and the names of an application with a service of its own", () => {
  const root = temporaryFolder({
    "src/app.ts": 'import fs from "node:fs";\nimport "./part";',
    "src/part.ts": "export {};",
    "src/server.ts": "registerMcp(app, new Service({ name: 'S' }), '/mcp');",
  });
  expect(viteBuildDefaults({ root, build: { ssr: "src/app.ts" } }, "rolldownOptions")).toEqual({});
  const mixed = { root, build: { ssr: true, rolldownOptions: { input: { a: "src/app.ts", b: "src/server.ts" } } } };
  expect(viteBuildDefaults(mixed, "rolldownOptions").build?.rolldownOptions).toEqual({});
});
