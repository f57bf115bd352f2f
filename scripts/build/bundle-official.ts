/** Bundles what our code uses of two large projects into one file of the package each. */
import { writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { type OfficialFile, officialFiles } from "./official-files.ts";
import { foldersOf, thirdPartyIn } from "./third-party.ts";

/**
 * Replaces the compiled files by bundles. As dependencies the packages of OpenTelemetry would be twelve more in every
 * install, with 18 MB, of which this uses a fiftieth.
 *
 * @returns Folders of the packages
 */
export async function bundleOfficial(dist: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const one of officialFiles) folders.push(...(await bundleFile(dist, one)));
  return folders;
}

async function bundleFile(dist: string, { name, shared, minify, note }: OfficialFile): Promise<readonly string[]> {
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
  const packages = foldersOf(moduleIds, dist);
  writeFileSync(file, `${notice(packages, note)}\n${code.replaceAll(/^\/\/#(?:end)?region.*\n/gm, "")}`);
  return packages;
}

function notice(folders: readonly string[], note: string): string {
  const texts = new Set<string>();
  const names = folders.map((folder) => {
    const { name, version, license, text: whole } = thirdPartyIn(folder);
    const [text] = mitText.exec(whole) ?? [];
    if (license !== "Apache-2.0" && (license !== "MIT" || text === undefined))
      throw new Error(`${name} has the licence ${license}, of which the notice has no text.`);
    if (text !== undefined) texts.add(`MIT License\n\n${text}`);
    return `  ${name} ${version}`;
  });
  return `/*!\n${[note, names.join("\n"), ...texts].join("\n\n")}\n*/`;
}

/** The part of a licence file that is the MIT licence with its copyright. */
const mitText = /^Copyright \(c\).*\s+Permission is hereby granted[^]*?SOFTWARE\.$/m;
