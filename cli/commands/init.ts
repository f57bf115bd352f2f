import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, parse, relative, resolve } from "node:path";
import { compilerReaders } from "../../plugin/index.ts";
import { dockerFiles, type DockerOptions } from "../project/docker-files.ts";
import { initFiles } from "../project/init-files.ts";
import { planInit } from "../project/plan-init.ts";
import { findProject } from "../project/project.ts";
import { vscodeFiles } from "../project/vscode-files.ts";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, CommandError, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";
import { packageVersion } from "../base/version.ts";
import { writeProjectFile } from "../base/write-result.ts";

export const help: CommandHelp = {
  usage: "tenon init [dir] [options]",
  summary:
    "Makes a service in `dir` (default: this folder). In a folder with files nothing of theirs is changed: package.json " +
    "gets the scripts and dependencies that it lacks, and files that exist are kept. Beside a tsconfig.json that " +
    "compiles to CommonJS the service has a folder of its own, `service`, which that tsconfig.json then excludes.",
  options: {
    docker: { type: "boolean", help: "only Dockerfile and .dockerignore, for the service in `dir`" },
    vscode: {
      type: "boolean",
      help: "only .vscode: tasks that show findings, debugging, and the extension; what a file lacks is added to it",
    },
    json: { type: "boolean", help: "print the written files as JSON" },
  },
  examples: [
    "tenon init my-service && cd my-service && npm install && npm run dev",
    "tenon init --docker",
    "tenon init --vscode",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const folder = resolve(given.positionals[0] ?? ".");
  const [isDocker, isVscode] = [given.flag("docker"), given.flag("vscode")];
  if (isDocker && isVscode) throw new UsageError("--docker and --vscode exclude each other.");
  const files = isDocker ? dockerFiles(imageOf(folder)) : isVscode ? vscodeFiles : await serviceFiles(folder);
  const planned = planInit(files, (path) => readText(join(folder, path)));
  for (const { path, text } of planned) {
    if (text === undefined) continue;
    writeProjectFile(join(folder, path), text);
  }
  if (given.flag("json"))
    printJson({
      folder,
      files: planned.filter(({ text }) => text !== undefined).map(({ path }) => path),
      kept: planned.filter(({ text }) => text === undefined).map(({ path }) => path),
    });
  else {
    const shown = relative(process.cwd(), folder);
    for (const { path, action } of planned) say(paint("dim", `  ${path}${action === "made" ? "" : ` (${action})`}`));
    const isKept = planned.every(({ text }) => text === undefined);
    const [what, is] = isDocker
      ? ["the files of an image", "are"]
      : isVscode
        ? ["the files of VS Code", "are"]
        : ["a service", "is"];
    say(
      isKept
        ? `${what} in ${shown || "this folder"} ${is} there already. Next:\n`
        : `${paint("green", "made")} ${what} in ${shown || "this folder"}. Next:\n`,
    );
    const next = isDocker
      ? "docker build -t my-service . && docker run --rm --read-only --tmpfs /tmp -p 8090:8090 my-service"
      : isVscode
        ? "code .     # and then: Terminal, Run Task, tenon: check"
        : "npm install && npm run dev";
    say(`  ${shown === "" ? "" : `cd ${shellWord(shown)} && `}${next}\n`);
  }
  return 0;
}

/**
 * The files of a new service; the extension is recommended if VS Code is used already, that is, if its folder contains
 * more than files of an earlier `tenon init`.
 */
async function serviceFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const project = { name: packageName(basename(folder)), version: packageVersion(), isModule: isModule(folder) };
  const own = existsSync(join(folder, "tsconfig.json"))
    ? (await compilerReaders.ownTsconfig()).readOwnTsconfig(folder, project.isModule)
    : undefined;
  const files = { ...initFiles({ ...project, ...(own !== undefined && { sources: "service" }) }), ...own };
  const settings = join(folder, ".vscode");
  const isUsed = namesIn(settings).some((name) => {
    const own = files[`.vscode/${name}`];
    return own === undefined || readText(join(settings, name)) !== own;
  });
  const extensions = ".vscode/extensions.json";
  return { ...files, ...(isUsed && { [extensions]: vscodeFiles[extensions] }) };
}

/** Names in a folder; none if the folder does not exist, or cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** True for a package of ES modules, such as a new one. */
function isModule(folder: string): boolean {
  const text = readText(join(folder, "package.json"));
  return text === undefined || (JSON.parse(text) as { type?: unknown } | null)?.type === "module";
}

/** Quotes a path as one word of a shell. */
function shellWord(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Options for the image of the service in a folder. Throws a `CommandError` if there is no service. */
function imageOf(folder: string): DockerOptions {
  if (!existsSync(join(folder, "package.json"))) {
    const shown = relative(process.cwd(), folder) || "this folder";
    throw new CommandError(`There is no package.json in ${shown}. Make a service there first: tenon init.`);
  }
  const { entry } = findProject(undefined, folder);
  const isWorker = readFileSync(entry, "utf8").includes("startBatchService");
  return {
    name: packageName(basename(folder)),
    has: (path) => existsSync(join(folder, path)),
    output: `${parse(entry).name}.mjs`,
    flags: isWorker ? [] : ["--with-mcp"],
  };
}

/** Undefined for a file that does not exist. */
function readText(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const text = readFileSync(file, "utf8");
    if (basename(file) === "package.json") JSON.parse(text);
    return text;
  } catch (error) {
    throw new CommandError(
      `${relative(process.cwd(), file)} cannot be read: ${error instanceof Error ? error.message : String(error)}. ` +
        "Nothing was written.",
    );
  }
}

/** Makes a valid npm name from a folder's name. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return name === "" ? "my-service" : name;
}
