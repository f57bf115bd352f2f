import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { initFiles } from "../project/init-files.ts";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, CommandError, type CommandHelp, withArguments } from "../base/usage.ts";
import { packageVersion } from "../base/version.ts";

export const help: CommandHelp = {
  usage: "tenon init [dir] [options]",
  summary: "Makes a new service in `dir` (default: this folder), which must be empty.",
  options: { json: { type: "boolean", help: "print the written files as JSON" } },
  examples: ["tenon init my-service && cd my-service && npm install && npm run dev"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const folder = resolve(given.positionals[0] ?? ".");
  const occupied = existsSync(folder) ? readdirSync(folder).filter((name) => name !== ".git") : [];
  if (occupied.length > 0) {
    throw new CommandError(
      `${relative(process.cwd(), folder) || "This folder"} is not empty (it has ${occupied[0]}); name a new folder.`,
    );
  }
  const files = initFiles(packageName(basename(folder)), packageVersion());
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (given.flag("json")) printJson({ folder, files: Object.keys(files) });
  else {
    const shown = relative(process.cwd(), folder);
    for (const path of Object.keys(files)) say(paint("dim", `  ${path}`));
    say(`${paint("green", "made")} a service in ${shown || "this folder"}. Next:\n`);
    say(`  ${shown === "" ? "" : `cd ${shown} && `}npm install && npm run dev\n`);
  }
  return 0;
}

/** A legal npm name out of a folder's name. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return name === "" ? "my-service" : name;
}
