import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Adopted, compilerReaders } from "../../plugin/index.ts";
import { openText, reportMarkdown, summaryText } from "../adopt/report-text.ts";
import { writeModules } from "../adopt/write-modules.ts";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, CommandError, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";
import { writeResult } from "../base/write-result.ts";

/** Longest namespace of a URN (RFC 8141), with room for `urn:`. */
const longestNamespace = 31;

export const help: CommandHelp = {
  usage: "tenon adopt <path> [options]",
  summary:
    "Reads a service of another library, a folder or a file: tools of the MCP SDK, FastMCP and xmcp, and routes of " +
    "Hono, Fastify and ts-rest, with schemas of zod, and controllers of tsoa. " +
    "Writes functions with types and comments for tenon, and names every line that it could not carry over. The code " +
    "is only read, never executed. Without --out it writes nothing.",
  options: {
    out: { type: "string", short: "o", value: "FOLDER", help: "write the files and adopt.md there; it must be empty" },
    force: { type: "boolean", help: "write into a folder with files, and replace those of the same names" },
    json: { type: "boolean", help: "print the tools, and the lines that were not carried over, as JSON" },
  },
  examples: ["tenon adopt src", "tenon adopt ../weather-server/src --out src"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [path] = given.positionals;
  if (path === undefined) throw new UsageError(`Name the folder or the file. Usage: ${help.usage}`);
  const from = resolve(path);
  if (!existsSync(from)) throw new CommandError(`There is no file or folder ${path}.`);
  const out = given.text("out");
  if (out === undefined && given.flag("force"))
    throw new UsageError("--force replaces files: name a folder with --out.");
  if (out !== undefined) refuseFilled(out, given.flag("force"));
  const name = serviceName(from);
  const adopted = (await compilerReaders.foreign()).readForeign(from, name);
  refuseUnread(adopted, path);
  const folder = resolve(out ?? "adopted");
  const files = [
    ...writeModules(adopted, folder.replaceAll("\\", "/"), name),
    { path: "adopt.md", text: reportMarkdown(adopted) },
  ];
  if (out !== undefined) {
    for (const { path: file, text } of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeResult(join(folder, file), text);
    }
  }
  if (given.flag("json")) printJson(jsonOf(adopted, out === undefined ? [] : files.map((file) => file.path)));
  else tell(adopted, out, files.length);
  return 0;
}

function refuseFilled(out: string, isForced: boolean): void {
  if (isForced || !existsSync(out)) return;
  let names: readonly string[];
  try {
    names = readdirSync(out);
  } catch {
    throw new CommandError(`${out} is not a folder.`);
  }
  if (names.length > 0)
    throw new CommandError(`${out} has files already. Choose another folder, or replace them with --force.`);
}

function refuseUnread({ broken, modules, files }: Adopted, path: string): void {
  const [first] = broken;
  if (first !== undefined) {
    const more = broken.length === 1 ? "" : ` There are ${broken.length - 1} more errors.`;
    throw new CommandError(`${first.file}:${first.line} cannot be read: ${first.message}${more}`);
  }
  if (modules.some(({ tools }) => tools.length > 0)) return;
  throw new CommandError(
    `${path} has no tools that can be read, in ${files} file${files === 1 ? "" : "s"}. \`tenon adopt --help\` names the libraries.`,
  );
}

/** Name of the service: that of the nearest folder with a meaning. */
function serviceName(path: string): string {
  const folder = /\.[cm]?[jt]sx?$/.test(path) ? dirname(path) : path;
  const named = ["src", "lib", "server"].includes(basename(folder)) ? dirname(folder) : folder;
  return (
    basename(named)
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, "-")
      .slice(0, longestNamespace)
      .replaceAll(/^-+|-+$/g, "") || "service"
  );
}

function jsonOf({ modules, open }: Adopted, files: readonly string[]): object {
  const tools = modules.flatMap((module) => module.tools);
  return {
    tools: tools.map(({ name, source, route, file, line }) => ({ name, source, route, file, line })),
    open,
    files,
  };
}

function tell(adopted: Adopted, out: string | undefined, files: number): void {
  for (const line of adopted.open) say(`${paint("yellow", `${line.file}:${line.line}`)}  ${openText(line)}`);
  say(`${adopted.open.length === 0 ? "" : "\n"}${summaryText(adopted)}.`);
  if (out === undefined) say("Nothing was written: name a folder with --out.");
  else {
    const shown = relative(process.cwd(), resolve(out)) || "this folder";
    say(`${paint("green", "wrote")} ${files} files to ${shown}. Next: tenon generate ${join(shown, "service.ts")}`);
  }
}
