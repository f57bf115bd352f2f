/** Writes the runtime a second time, in few modules, for bundlers that make a chunk for each set of importers. */
import { globSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { rolldown } from "rolldown";
import { chunkModules, groupsOf } from "../../cli/build/chunk-groups.ts";
import { groupedFolder, ownModules } from "../../plugin/packages/own-module.ts";

/** Modules by their absolute path, each with those that it imports. */
type Imports = ReadonlyMap<string, readonly string[]>;

/** The chunks of `tenon build`, and small modules that it adds to one itself. Modules of an `import()` stay out. */
const startModules = {
  ...chunkModules,
  jobs: [
    ...(chunkModules["jobs"] ?? []),
    "contract/validation/report/suggest",
    "executor/kept/unanswered",
    "executor/run/ask",
    "executor/store/wakes",
    "fronts/http/held-by-stream",
    "job/steps/step-errors",
    "job/steps/waits-for",
    "outside/llm/llm-errors",
    "outside/platform/sidecar/platform-errors",
  ],
};

const atStart = /^(?:import|export)\b[^"]*"(\.{1,2}\/[^"]+\.js)";$/gm;
const later = /\bimport\("(\.{1,2}\/[^"]+\.js)"\)/g;

/**
 * Groups the modules of a start as `tenon build` does, in a folder of their own. esbuild and Rollup make a chunk for
 * each set of entries that reach a module: a start then reads some 80 files in place of 13. Modules without a way to a
 * group, and those of the clients, are not written again: both forms import them.
 *
 * @param dist Folder of the compiled package
 */
export async function groupRuntime(dist: string): Promise<void> {
  const runtime = resolve(dist, "runtime");
  const groups = groupsOf(startModules, `${runtime}${sep}`);
  const files = globSync("**/*.js", { cwd: runtime }).map((name) => join(runtime, name));
  const atOnce: Imports = new Map(files.map((file) => [file, importsOf(file, atStart)]));
  const imports: Imports = new Map(
    files.map((file) => [file, [...(atOnce.get(file) ?? []), ...importsOf(file, later)]]),
  );
  const ofClients = reachedFrom(
    globSync("client/**/*.js", { cwd: runtime }).map((name) => join(runtime, name)),
    imports,
  );
  const entries = Object.values(ownModules).map((name) => join(runtime, `${name}.js`));
  const ofServices = [...reachedFrom(entries, imports)].filter((file) => !ofClients.has(file));
  const roots = ofServices.filter((file) => groups.some(({ test }) => test.test(file)));
  const grouped = reachedFrom(roots, atOnce, ofClients);
  // A module that leads to one of a group from outside would load it a second time.
  const leadsToGroup = (file: string): boolean => [...reachedFrom([file], imports)].some((one) => grouped.has(one));
  const written = new Set(ofServices.filter(leadsToGroup));
  const nameOf = (file: string): string => relative(runtime, file).replace(/\.js$/, "");
  const bundle = await rolldown({
    cwd: dist,
    input: Object.fromEntries([...written].map((file) => [nameOf(file), file])),
    platform: "node",
    external: (id, importer) => !written.has(importer === undefined ? id : resolve(dirname(importer), id)),
    preserveEntrySignatures: "strict",
    experimental: { attachDebugInfo: "none" },
    treeshake: { moduleSideEffects: false },
  });
  const folder = join(runtime, groupedFolder);
  const { output } = await bundle.generate({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    minifyInternalExports: false,
    comments: { jsdoc: false },
    codeSplitting: { groups },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === "chunk");
  const isWritten = new Set(chunks.map(({ fileName }) => fileName));
  for (const { fileName, code } of chunks) {
    const path = join(folder, fileName);
    // The bundler writes paths of other modules as if both were in one folder.
    const toOther = (text: string, specifier: string): string => {
      const other = join(dirname(fileName), specifier);
      return isWritten.has(other) ? text : text.replace(specifier, relative(dirname(path), join(runtime, other)));
    };
    mkdirSync(dirname(path), { recursive: true });
    // No module of the runtime is imported for its effects, and bundlers warn of such imports.
    const text = code.replaceAll(/^import "\.{1,2}\/[^"]*";\n/gm, "");
    writeFileSync(path, text.replaceAll(atStart, toOther).replaceAll(later, toOther));
  }
}

function importsOf(file: string, form: RegExp): readonly string[] {
  return [...readFileSync(file, "utf8").matchAll(form)].map(([, path = ""]) => join(dirname(file), path));
}

function reachedFrom(files: readonly string[], imports: Imports, without?: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(files);
  for (const file of found) for (const one of imports.get(file) ?? []) if (without?.has(one) !== true) found.add(one);
  return found;
}
