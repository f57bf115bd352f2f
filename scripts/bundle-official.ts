/** Bundles the parts of the OpenTelemetry SDK that the runtime uses into one file of the package. */
import { readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** The one file of the runtime that names them, as compiled. */
const officialFile = "runtime/telemetry/sdk/official.js";
/** Stays a package: its copy is shared with the author's code. */
const shared = "@opentelemetry/api";

/**
 * Replaces the compiled file by a bundle. As dependencies its packages would be twelve more in every install, with
 * 18 MB, of which this uses a fiftieth.
 */
export async function bundleOfficial(dist: string): Promise<void> {
  const file = join(dist, officialFile);
  const bundle = await rolldown({
    cwd: dist,
    input: file,
    platform: "node",
    external: [shared],
    // Rollup knows Node's modules by this prefix only.
    plugins: [
      {
        name: "node-prefix",
        resolveId: (id) => (builtinModules.includes(id) ? { id: `node:${id}`, external: true } : undefined),
      },
    ],
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false, comments: { legal: false } });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  writeFileSync(
    file,
    `${notice(packagesOf(moduleIds.filter((id) => id !== file)))}\n${code.replaceAll(/^\/\/#(?:end)?region.*\n/gm, "")}`,
  );
}

/** Folders of the packages that modules are from. */
function packagesOf(modules: readonly string[]): readonly string[] {
  const folders = modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}

function notice(folders: readonly string[]): string {
  const names = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      readonly name: string;
      readonly version: string;
      readonly license: string;
    };
    if (license !== "Apache-2.0")
      throw new Error(`${name} has the licence ${license}; the notice below names another.`);
    return `  ${name} ${version}`;
  });
  const text = "Parts of these packages, unchanged. Copyright The OpenTelemetry Authors, Apache-2.0 (see LICENSE).";
  return `/*!\n${text}\n\n${names.join("\n")}\n*/`;
}
