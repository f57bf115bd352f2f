/**
 * Builds the package into `dist/`, with declarations: one file per source file, and the plugin, which Node loads in
 * every build of a user's, in few. `npm run build`, and `prepack`. The last `dist/` stays until the new one is whole.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { bundlerNames } from "../plugin/packages/bundler-names.ts";
import { bundleOfficial } from "./build/bundle-official.ts";
import { callerModule } from "./build/client-source.ts";
import { consoleModule } from "./build/bundle-console.ts";
import { autoTextsModule, viewTextsModule } from "./build/bundle-views.ts";
import { groupRuntime } from "./build/group-runtime.ts";
import { pluginChunkGroups } from "./build/plugin-chunks.ts";
import { foldersOf, thirdPartyFile, thirdPartyText } from "./build/third-party.ts";
import { carriedLibs, type LibTexts, nearLibsFile } from "../plugin/read/base/lib-texts.ts";

// The compiler writes `./x.js` into JavaScript, but leaves `./x.ts` in declarations, which would not resolve once
// packed.
const relativeTs = /((?:from|import)\s*\(?\s*")(\.{1,2}\/[^"]+)\.ts"/g;
// The types of an optional peer are `any` when it is not installed, which must not fail a user's type check.
const optionalPeer = /^(?=import type .* from "(?:openai|pg|@modelcontextprotocol\/client)";$)/gm;

const cache = resolve("node_modules/.cache");
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, "tenon-build-"));
try {
  if (compile(join(work, "dist"))) await finish(work);
  else process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Finishes the compiled files, and replaces the last build by them in one step. */
async function finish(work: string): Promise<void> {
  const made = join(work, "dist");
  const folders = [...(await bundlePlugin(work)), ...(await bundleOfficial(made))];
  const texts = {
    "runtime/fronts/rest/console-texts.js": await consoleModule("service"),
    "cli/local-platform/routes/console-texts.js": await consoleModule("platform"),
    "runtime/view/view-texts.js": await viewTextsModule(),
  };
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(made, name), text.code);
    folders.push(...text.folders);
  }
  // Of packages it has Preact alone, as the console.
  writeFileSync(join(made, "runtime/view/auto-texts.js"), await autoTextsModule());
  writeFileSync(join(made, "cli/client/caller-source.js"), callerModule());
  writeFileSync(join(made, "plugin/recheck.cjs"), bundledRecheck());
  folders.push("node_modules/recheck");
  await groupRuntime(made);
  writeFileSync(join(made, basename(thirdPartyFile)), thirdPartyText(folders));
  writeFileSync(join(made, "plugin", nearLibsFile), JSON.stringify(languageLibs()));
  chmodSync(join(made, "cli/main.js"), 0o755);
  if (existsSync("dist")) renameSync("dist", join(work, "old"));
  renameSync(made, "dist");
}

/** Compiles every file with the native compiler, which takes a quarter of the time of the other and writes the same. */
function compile(outDir: string): boolean {
  const tsc = "test/versions/typescript-7/node_modules/typescript/bin/tsc";
  const words = [tsc, "-p", "tsconfig.build.json", "--outDir", outDir];
  if (spawnSync(process.execPath, words, { stdio: "inherit" }).status !== 0) return false;
  for (const name of globSync("**/*.d.ts", { cwd: outDir })) {
    const file = join(outDir, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(relativeTs, '$1$2.js"').replace(optionalPeer, "// @ts-ignore: optional peer\n"));
  }
  return true;
}

/**
 * Bundles the plugin's modules: one file with everything that a build without changes loads, one for compiling, and one
 * for webpack and Rspack. A file costs more than its size. Returns the folders of the packages in them.
 */
async function bundlePlugin(work: string): Promise<readonly string[]> {
  const folder = join(work, "dist/plugin");
  const compilerAlone = join(folder, "read/base/compiler-alone.js");
  const bundlers = [...bundlerNames, "dev"].map((name) => `bundlers/${name}`);
  const entries = ["index", ...bundlers, "packages/own-module", "diagnostics/last-tag"];
  const bundle = await rolldown({
    // Comments in the output name modules relative to this folder.
    cwd: work,
    input: Object.fromEntries(entries.map((name) => [name, join(folder, `${name}.js`)])),
    platform: "node",
    plugins: [{ name: "compiler-alone", resolveId: (id) => (id === "ts-morph" ? compilerAlone : undefined) }],
    // Dependencies are not bundled.
    external: /^(?!ts-morph$|parse5$|entities\/)[^./]/,
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].js",
    // At the top: paths of the runtime and of recheck are relative to a file of this folder.
    chunkFileNames: "[name].js",
    codeSplitting: { groups: pluginChunkGroups },
  });
  await bundle.close();
  for (const name of globSync("**/*.js", { cwd: folder })) rmSync(join(folder, name));
  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName, code } of chunks) writeFileSync(join(folder, fileName), code);
  return foldersOf(
    chunks.flatMap(({ moduleIds }) => moduleIds),
    work,
  );
}

/** The library of the language, without those of platforms: the part of 3 MB that most builds need. */
function languageLibs(): LibTexts {
  const isOfPlatform = (name: string): boolean => /^lib\.(?:dom|webworker|scripthost)/.test(name);
  const texts = Object.entries(carriedLibs()).filter(([name]) => !isOfPlatform(name));
  const note =
    "TypeScript's library as ts-morph carries it, without comments. Copyright Microsoft Corporation, Apache-2.0.";
  return { note, ...Object.fromEntries(texts) };
}

/**
 * recheck's plain JavaScript form with its licence. As a dependency the package would install 50 MB of programs for
 * other platforms.
 */
function bundledRecheck(): string {
  const { version } = JSON.parse(readFileSync("node_modules/recheck/package.json", "utf8")) as { version: string };
  const licence = readFileSync("node_modules/recheck/LICENSE", "utf8").trim();
  const note = `recheck ${version}, unchanged. It contains parts of the Scala and Scala.js libraries (Apache-2.0).`;
  return `/*!\n${note}\n\n${licence}\n*/\n${readFileSync("node_modules/recheck/lib/browser.js", "utf8")}`;
}
