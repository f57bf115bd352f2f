/** Bundles what our code uses of two large projects into one file of the package each. */
import { readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { type OfficialFile, officialFiles } from "./official-files.ts";

/**
 * Replaces the compiled files by bundles. As dependencies the packages of OpenTelemetry would be twelve more in every
 * install, with 18 MB, of which this uses a fiftieth.
 */
export async function bundleOfficial(dist: string): Promise<void> {
  for (const one of officialFiles) await bundleFile(dist, one);
}

async function bundleFile(dist: string, { name, shared, minify, note }: OfficialFile): Promise<void> {
  const file = join(dist, name);
  const bundle = await rolldown({
    cwd: dist,
    input: file,
    platform: "node",
    external: [...shared],
    // Rollup knows Node's modules by this prefix only.
    plugins: [
      {
        name: "node-prefix",
        resolveId: (id) => (builtinModules.includes(id) ? { id: `node:${id}`, external: true } : undefined),
      },
    ],
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false, comments: { legal: false }, minify });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  const packages = packagesOf(moduleIds.filter((id) => id !== file));
  writeFileSync(file, `${notice(packages, note)}\n${code.replaceAll(/^\/\/#(?:end)?region.*\n/gm, "")}`);
}

/** Folders of the packages that modules are from. */
function packagesOf(modules: readonly string[]): readonly string[] {
  const folders = modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}

function notice(folders: readonly string[], note: string): string {
  const texts = new Set<string>();
  const names = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      readonly name: string;
      readonly version: string;
      readonly license: string;
    };
    const [text] = mitText.exec(readFileSync(join(folder, "LICENSE"), "utf8")) ?? [];
    if (license !== "Apache-2.0" && (license !== "MIT" || text === undefined))
      throw new Error(`${name} has the licence ${license}, of which the notice has no text.`);
    if (text !== undefined) texts.add(`MIT License\n\n${text}`);
    return `  ${name} ${version}`;
  });
  return `/*!\n${[note, names.join("\n"), ...texts].join("\n\n")}\n*/`;
}

/** The part of a licence file that is the MIT licence with its copyright. */
const mitText = /^Copyright \(c\).*\s+Permission is hereby granted[^]*?SOFTWARE\.$/m;
