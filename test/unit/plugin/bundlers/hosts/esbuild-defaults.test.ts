import type { BuildOptions } from "esbuild";
import { join } from "node:path";
import { expect, test } from "vitest";
import { composeBanner } from "../../../../../plugin/hooks/banner.ts";
import { applyEsbuildDefaults } from "../../../../../plugin/bundlers/hosts/esbuild-defaults.ts";
import type { EntryKinds } from "../../../../../plugin/packages/entry-kind.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const services: EntryKinds = { allServices: true, someOther: false, allOther: false };

function withDefaults(options: BuildOptions, kinds: EntryKinds = services): BuildOptions {
  applyEsbuildDefaults(options, kinds);
  return options;
}

test("fills in everything that a service needs", () => {
  expect(withDefaults({ entryPoints: ["src/service.ts"] })).toEqual({
    entryPoints: ["src/service.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    outdir: "dist",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    banner: { js: composeBanner({ builtins: true, commonJsNames: true }) },
  });
});

test("an application with tools keeps its names, in one file for each entry", () => {
  const options = withDefaults({ entryPoints: ["src/server.ts"] }, { ...services, allServices: false });
  expect(options).toMatchObject({ platform: "node", format: "esm", outdir: "dist" });
  expect(Object.keys(options)).not.toEqual(expect.arrayContaining(["splitting"]));
  expect(Object.keys(options)).not.toEqual(expect.arrayContaining(["outExtension"]));
});

test("beside an entry without tools nothing is set but the banner, where it can run", () => {
  const mixed = { ...services, allServices: false, someOther: true };
  expect(withDefaults({ entryPoints: ["a.ts", "b.ts"] }, mixed)).toEqual({ entryPoints: ["a.ts", "b.ts"] });
  const own = { platform: "node", format: "esm", outdir: "dist" } as const;
  const banner = { js: composeBanner({ builtins: true, commonJsNames: true }) };
  expect(withDefaults({ ...own }, mixed)).toEqual({ ...own, banner });
});
test("changes nothing that the user set", () => {
  const own: BuildOptions = {
    bundle: false,
    platform: "node",
    format: "esm",
    target: "es2024",
    outdir: "out",
    splitting: false,
    chunkNames: "[hash]",
    outExtension: { ".js": ".js" },
    banner: { js: "/* mine */", css: "/* css */" },
  };
  expect(withDefaults({ ...own })).toEqual({
    ...own,
    banner: { js: `${composeBanner({ builtins: true, commonJsNames: true })}\n/* mine */`, css: "/* css */" },
  });
});

test("one output file cannot be split, and its name stays", () => {
  const options = withDefaults({ outfile: "out.js" });
  expect(options).toMatchObject({ outfile: "out.js", format: "esm" });
  expect(options).not.toHaveProperty("splitting");
  expect(options).not.toHaveProperty("outdir");
});

test.each([{ format: "cjs" }, { platform: "browser" }] as const)("no banner for %j", (options) => {
  expect(withDefaults({ ...options })).not.toHaveProperty("banner");
});

test.each([[["service.ts"]], [{ main: "service.ts" }], [[{ in: "service.ts", out: "main" }]]])(
  "guards standard output always when an entry serves on it: %j",
  (entryPoints) => {
    const absWorkingDir = temporaryFolder({ "service.ts": "await runMcpStdio(service);" });
    const banner = composeBanner({ builtins: true, commonJsNames: true, stdio: true });
    expect(withDefaults({ absWorkingDir, entryPoints }).banner).toEqual({ js: banner });
    expect(withDefaults({ absWorkingDir: join(absWorkingDir, "else"), entryPoints }).banner).not.toEqual({
      js: banner,
    });
  },
);

test("an entry may be a folder, or lack its extension", () => {
  const text = "await runMcpStdio(service);";
  const absWorkingDir = temporaryFolder({ "worker/index.ts": text, "main.ts": text, "other.d/index.js": "" });
  const banner = composeBanner({ builtins: true, commonJsNames: true, stdio: true });
  for (const entry of ["./worker", "main"]) {
    expect(withDefaults({ absWorkingDir, entryPoints: [entry] }).banner).toEqual({ js: banner });
  }
  expect(withDefaults({ absWorkingDir, entryPoints: ["other.d"] }).banner).not.toEqual({ js: banner });
});
