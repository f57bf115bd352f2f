/**
 * Builds the package into `dist/`, with declarations: one file per source file, and the plugin, which Node loads in every
 * build of a user's, in few. `npm run build`, and `prepack`.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { rolldown } from "rolldown";

// The compiler writes `./x.js` into JavaScript, but leaves `./x.ts` in declarations, which would not resolve once packed.
const relativeTs = /((?:from|import)\s*\(?\s*")(\.{1,2}\/[^"]+)\.ts"/g;
// Where the optional peer is not installed its types are `any`, and that must not fail a user's type check.
const optionalPeer = /^(?=import type .* from "openai";$)/gm;

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
for (const file of globSync("dist/**/*.d.ts")) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(relativeTs, '$1$2.js"').replace(optionalPeer, "// @ts-ignore: optional peer\n"));
}
await bundlePlugin();
writeFileSync("dist/plugin/recheck.cjs", bundledRecheck());
chmodSync("dist/cli/main.js", 0o755);

/**
 * Puts the plugin's modules into one file for all that a build without changes loads, one for what compiles, and one for
 * webpack and Rspack. A file costs more than its size.
 */
async function bundlePlugin(): Promise<void> {
  const entries = ["index", "vite", "rollup", "rolldown", "esbuild", "webpack", "rspack", "own-module", "dev"];
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, resolve(`dist/plugin/${name}.js`)])),
    platform: "node",
    // Dependencies stay where they are installed.
    external: /^[^./]/,
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    // Beside the entries: the paths of the runtime and of recheck are relative to a file of this folder.
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [
        {
          name: "core",
          test: /[\\/]dist[\\/]plugin[\\/](?:build|module-hooks|options|hosts[\\/](?!webpack))/,
          priority: 2,
        },
        { name: "compiler", test: /[\\/]dist[\\/]plugin[\\/](?:read|emit|compile-module)/, priority: 1 },
      ],
    },
  });
  await bundle.close();
  for (const file of globSync("dist/plugin/**/*.js")) rmSync(file);
  for (const file of output) if (file.type === "chunk") writeFileSync(`dist/plugin/${file.fileName}`, file.code);
}

/**
 * recheck's plain JavaScript form with its licence. As a dependency the package would bring 50 MB of programs for other
 * ways to run it to every user.
 */
function bundledRecheck(): string {
  const { version } = JSON.parse(readFileSync("node_modules/recheck/package.json", "utf8")) as { version: string };
  const licence = readFileSync("node_modules/recheck/LICENSE", "utf8").trim();
  const note = `recheck ${version}, unchanged. It contains parts of the Scala and Scala.js libraries (Apache-2.0).`;
  return `/*!\n${note}\n\n${licence}\n*/\n${readFileSync("node_modules/recheck/lib/browser.js", "utf8")}`;
}
