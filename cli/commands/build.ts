import { relative, resolve } from "node:path";
import { bundle } from "../build/bundle.ts";
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
    "no-cache": { type: "boolean", help: "compile every tool again" },
    json: { type: "boolean", help: "print the written files as JSON" },
  },
  examples: ["tenon build", "tenon build src/service.ts --outdir out --minify"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const project = findProject(given.positionals[0]);
  const outdir = resolve(project.root, given.text("outdir") ?? "dist");
  const started = performance.now();
  const files = await bundle(project, {
    outdir,
    minify: given.flag("minify"),
    single: given.flag("single"),
    cache: !given.flag("no-cache"),
    codeCache: !given.flag("no-code-cache"),
  });
  const milliseconds = Math.round(performance.now() - started);
  if (given.flag("json")) {
    printJson({ outdir, milliseconds, files });
    return 0;
  }
  const shown = relative(process.cwd(), outdir) || ".";
  for (const { file, bytes } of files.filter(({ entry }) => entry)) {
    say(`${paint("bold", `${shown}/${file}`)}  ${formatBytes(bytes)}`);
  }
  const chunks = files.filter(({ entry }) => !entry);
  if (chunks.length > 0) {
    say(
      paint(
        "dim",
        `${shown}/chunks/  ${chunks.length} files, ${formatBytes(chunks.reduce((sum, { bytes }) => sum + bytes, 0))}, loaded when needed`,
      ),
    );
  }
  say(
    `${paint("green", "built")} in ${milliseconds} ms; run it with \`node ${shown}/${files.find(({ entry }) => entry)?.file ?? "service.mjs"}\``,
  );
  return 0;
}
