import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rspack } from "@rspack/core";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import webpack from "webpack";
import { leavesOutside } from "../../plugin/bundlers/hosts/kept-outside.ts";
import { type BundlerProject, bundlerProject } from "./bundler-project.ts";
import { bundlerNames, bundlers } from "./six-bundlers.ts";

let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
});
afterAll(() => project[Symbol.dispose]());

/** Reads what a bundle imports of tenon, and whether it contains a part of the runtime as well. */
function partsOf(folder: string): { readonly imports: readonly string[]; readonly hasRuntime: boolean } {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("js"));
  const code = files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  const imports = [...code.matchAll(/\b(?:from|import) ?["'](tenon[^"']*)["']/g)].flatMap(([, name = ""]) => name);
  return { imports: [...new Set(imports)].toSorted(), hasRuntime: code.includes("tenon.registry") };
}
const outside = { imports: ["tenon", "tenon/internal"], hasRuntime: false };

test.each(bundlerNames)("%s: who leaves `tenon` outside of the bundle has no part of it inside", async (name) => {
  const outdir = project.path("out", name);
  const result = await bundlers[name]?.({ root: project.root, outdir, outside: ["tenon"], plugins: project.plugins });
  expect(result).toEqual({ warnings: [] });
  expect(partsOf(outdir)).toEqual(outside);
});

test.each([[["tenon"]], [true as const]])("Vite: `ssr.external: %j` leaves it outside", async (external) => {
  const outDir = project.path("out/vite-ssr");
  await viteBuild({
    root: project.root,
    configFile: false,
    logLevel: "silent",
    resolve: { alias: { "@": project.path("src") } },
    ssr: { external },
    build: { ssr: "src/service.ts", outDir },
    plugins: [project.plugins.vite()],
  });
  expect(partsOf(outDir)).toEqual(outside);
});

test.each([
  ["webpack", "module", /from ?"tenon\/internal"/],
  ["webpack", "commonjs", /require\("tenon\/internal"\)/],
  ["rspack", "module", /from ?"tenon\/internal"/],
  ["rspack", "commonjs", /require\("tenon\/internal"\)/],
])("%s: `%s tenon` holds for the parts of tenon as well", async (name, way, expected) => {
  const path = project.path("out", name, way);
  const options = {
    context: project.root,
    mode: "production" as const,
    entry: { registry: "./src/registry.ts" },
    resolve: { alias: { "@": project.path("src") } },
    externals: { tenon: `${way} tenon` },
    output: { path, ...(way === "commonjs" && { module: false, library: { type: "commonjs2" } }) },
  };
  const loader = { test: /\.ts$/, loader: join(import.meta.dirname, "strip-types-loader.cjs") };
  const compiler =
    name === "webpack"
      ? webpack({ ...options, module: { rules: [loader] }, plugins: [project.plugins.webpack()] })
      : rspack({ ...options, plugins: [project.plugins.rspack()] });
  await new Promise<void>((done, fail) => compiler?.run((error) => (error === null ? done() : fail(error))));
  await new Promise((done) => compiler?.close(done));
  const code = readdirSync(path)
    .map((file) => readFileSync(join(path, file), "utf8"))
    .join("\n");
  expect(code).toMatch(expected);
  // The entry itself names it once.
  expect(code.split("tenon.registry")).toHaveLength(2);
});

test.each([
  ["tenon", true],
  [["openai", /^tenon(?:\/|$)/], true],
  [(id: string) => !id.startsWith("."), true],
  [(_: string, importer: string) => importer.includes("src"), true],
  [/^tenon/g, true],
  [/^tenon/g, true],
  [[{ tenon: "module tenon" }], true],
  ["tenon-tools", false],
  [[/^tenon\//, () => true, { openai: "module openai" }], false],
  [{ tenon: false }, false],
  [undefined, false],
])("external: %o", (option, expected) => {
  expect(leavesOutside(option, "src/tool.ts")).toBe(expected);
});
