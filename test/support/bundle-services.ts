/**
 * Vitest global set-up: bundles services from the sources, as their authors would, for the tests that
 * start them hundreds of times. From the sources alone each start would read and strip three hundred files.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the bundled services, `<name>.js`. */
    bundledServices: string;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  // Packages that stay outside are found from here.
  const cache = join(project.config.root, "node_modules/.cache/tenon-tests");
  mkdirSync(cache, { recursive: true });
  const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { peerDependencies: object };
  const folder = mkdtempSync(join(cache, "services-"));
  await build({
    entryPoints: ["services/*.ts", "../fronts/mcp/{stdio,asking}-service.ts"].flatMap((files) =>
      globSync(join(import.meta.dirname, files)),
    ),
    outdir: folder,
    entryNames: "[name]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    // Our own packages are in a service that `tenon build` makes, too. Those that authors share with us stay outside.
    external: [...Object.keys(peerDependencies), "@opentelemetry/api", "pino"],
    mainFields: ["module", "main"],
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    sourcemap: true,
  });
  project.provide("bundledServices", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
