import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { initFiles } from "../project/init-files.ts";
import { planInit } from "../project/plan-init.ts";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, CommandError, type CommandHelp, withArguments } from "../base/usage.ts";
import { packageVersion } from "../base/version.ts";

export const help: CommandHelp = {
  usage: "tenon init [dir] [options]",
  summary:
    "Makes a service in `dir` (default: this folder). In a folder with files nothing of theirs is changed: package.json " +
    "gets the scripts and dependencies that it lacks, and files that exist are kept.",
  options: { json: { type: "boolean", help: "print the written files as JSON" } },
  examples: ["tenon init my-service && cd my-service && npm install && npm run dev"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const folder = resolve(given.positionals[0] ?? ".");
  const planned = planInit(initFiles(packageName(basename(folder)), packageVersion()), (path) =>
    readText(join(folder, path)),
  );
  for (const { path, text } of planned) {
    if (text === undefined) continue;
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (given.flag("json"))
    printJson({
      folder,
      files: planned.filter(({ text }) => text !== undefined).map(({ path }) => path),
      kept: planned.filter(({ action }) => action === "kept").map(({ path }) => path),
    });
  else {
    const shown = relative(process.cwd(), folder);
    for (const { path, action } of planned) say(paint("dim", `  ${path}${action === "made" ? "" : ` (${action})`}`));
    say(`${paint("green", "made")} a service in ${shown || "this folder"}. Next:\n`);
    say(`  ${shown === "" ? "" : `cd ${shown} && `}npm install && npm run dev\n`);
  }
  return 0;
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

/** Makes a legal npm name from a folder's name. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return name === "" ? "my-service" : name;
}
