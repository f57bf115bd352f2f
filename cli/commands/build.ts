import { relative, resolve } from "node:path";
import { bundle } from "../build/bundle.ts";
import { formatOption, reporting, type Worked } from "../build/machine-report.ts";
import { copyPackages, foldersToCopy } from "../build/copy-packages.ts";
import type { OutsidePackage } from "../build/outside-packages.ts";
import { formatBytes, paint, printJson, say } from "../base/output.ts";
import { findProject } from "../project/project.ts";
import { type Arguments, type CommandHelp, withArguments } from "../base/usage.ts";

export const help: CommandHelp = {
  usage: "tenon build [entry] [options]",
  summary:
    "Writes a self-contained ES module bundle that runs with `node dist/service.mjs`, without node_modules, and service.json.",
  options: {
    outdir: { type: "string", short: "o", value: "DIR", help: "output folder, default dist" },
    minify: { type: "boolean", help: "shorten the output" },
    single: { type: "boolean", help: "one file instead of chunks; it starts slower" },
    "no-code-cache": { type: "boolean", help: "leave out the compiled code, with which the service starts sooner" },
    external: {
      type: "string",
      multiple: true,
      value: "NAME",
      help: "a package to leave outside of the bundle; may be given several times",
    },
    "copy-external": {
      type: "boolean",
      help: "copy the packages that stay outside to node_modules in the output folder",
    },
    "source-maps": {
      type: "boolean",
      help: "write source maps of tenon's runtime and of packages, too; those of your files are always written",
    },
    "no-cache": { type: "boolean", help: "compile every tool again" },
    verbose: { type: "boolean", help: "tell each warning of a file in a place of its own" },
    format: formatOption,
    json: { type: "boolean", help: "print the written files as JSON; errors, too" },
  },
  examples: ["tenon build", "tenon build src/service.ts --outdir out --minify"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

function carryOut(given: Arguments): Promise<number> {
  return reporting(given, () => build(given), { derivesUrns: true });
}

async function build(given: Arguments): Promise<Worked> {
  const project = findProject(given.positionals[0]);
  const outdir = resolve(project.root, given.text("outdir") ?? "dist");
  const started = performance.now();
  const { files, outside, missing } = await bundle(project, {
    outdir,
    minify: given.flag("minify"),
    sourceMaps: given.flag("source-maps"),
    single: given.flag("single"),
    declarations: true,
    cache: !given.flag("no-cache"),
    codeCache: !given.flag("no-code-cache"),
    verbose: given.flag("verbose"),
    external: given.texts("external"),
  });
  const copied = given.flag("copy-external");
  if (copied) copyPackages(outside, outdir);
  const folders = foldersToCopy(outside, project.root);
  const milliseconds = Math.round(performance.now() - started);
  if (given.flag("json")) {
    printJson({
      outdir,
      milliseconds,
      files,
      external: { packages: outside.map(({ name }) => name), folders, missing },
    });
    return { status: 0 };
  }
  const shown = relative(process.cwd(), outdir) || ".";
  const { named = [], chunks = [] } = Object.groupBy(files, ({ file, entry }) =>
    entry || file.endsWith(".d.mts") ? "named" : "chunks",
  );
  for (const { file, bytes } of named) say(`${paint("bold", `${shown}/${file}`)}  ${formatBytes(bytes)}`);
  if (chunks.length > 0) {
    say(
      paint(
        "dim",
        `${shown}/chunks/  ${chunks.length} files, ${formatBytes(chunks.reduce((sum, { bytes }) => sum + bytes, 0))}, loaded when needed`,
      ),
    );
  }
  tellOutside(outside, missing, { folders, copied, shown });
  say(
    `${paint("green", "built")} in ${milliseconds} ms; run it with \`node ${shown}/${files.find(({ entry }) => entry)?.file ?? "service.mjs"}\``,
  );
  return { status: 0 };
}

/** Reports which packages must be beside the bundle, and how they are installed. */
function tellOutside(
  outside: readonly OutsidePackage[],
  missing: readonly string[],
  { folders, copied, shown }: { readonly folders: readonly string[]; readonly copied: boolean; readonly shown: string },
): void {
  for (const { name, folder, reason } of outside) {
    const why = reason === "native" ? "it loads native code" : "as asked";
    say(`${paint("bold", name)} stays outside: ${folder === undefined ? `${why}; it is not installed` : why}`);
  }
  for (const name of missing) say(`${paint("bold", name)} stays outside: it is optional and not installed`);
  if (folders.length === 0) return;
  if (copied) {
    say(`  copied to ${shown}/node_modules: ${folders.join(", ")}`);
    return;
  }
  say("  the service finds them in a node_modules beside or above it; where you copy it to, copy these folders, too");
  say(`  (or build with \`--copy-external\`): ${folders.join(", ")}`);
}
