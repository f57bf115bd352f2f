import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";
import { editText, readFile, replaceFile } from "../project/install/edit-file.ts";
import { type Host, type Scope, type Server, placesOf } from "../project/install/host.ts";
import { hosts } from "../project/install/hosts.ts";
import { localServer, remoteServer } from "../project/install/read-server.ts";
import { diffLines } from "../project/diff-lines.ts";
import { findProject, nearestPackage } from "../project/project.ts";

const names = Object.keys(hosts);

export const help: CommandHelp = {
  usage: "tenon install <host> [options]",
  summary:
    `Tells an MCP host of the built service, or of a running one: ${names.join(", ")}. Shows the change of the host's file ` +
    "and asks before it is written; everything else in the file stays.",
  options: {
    url: {
      type: "string",
      value: "URL",
      help: "address of a running service's MCP endpoint; default: dist/ over stdio",
    },
    "token-env": { type: "string", value: "NAME", help: "variable that holds the access token for --url" },
    env: {
      type: "string",
      value: "NAME[=VALUE]",
      multiple: true,
      help: "variable of the service; without a value the host's own is passed on, or asked for",
    },
    name: { type: "string", value: "NAME", help: "name of the server in the host, default the package's" },
    scope: { type: "string", value: "SCOPE", help: "project or user: the file that is changed" },
    outdir: { type: "string", short: "o", value: "DIR", help: "folder of the built service, default dist" },
    remove: { type: "boolean", help: "take the server out of the host's file" },
    print: { type: "boolean", help: "print the host's form and change nothing" },
    yes: { type: "boolean", short: "y", help: "write without asking" },
    json: { type: "boolean", help: "print the file, the form and the link as JSON" },
  },
  examples: [
    "tenon install claude-code",
    "tenon install vscode --url https://tools.example.org/mcp --token-env TOOLS_TOKEN",
    "tenon install cursor --remove",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

/** A planned change of a file, which is then shown or written. */
interface Plan {
  readonly host: Host;
  readonly name: string;
  readonly file: string;
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  readonly link: string | undefined;
  readonly before: string;
  readonly after: string;
}

async function carryOut(given: Arguments): Promise<number> {
  const plan = await planChange(given);
  const { entry, file, link, before, after } = plan;
  const isSame = before === after;
  const isPrint = given.flag("print");
  if (given.flag("json")) printJson({ file, entry: entry ?? null, link: link ?? null, changes: !isSame });
  else if (isPrint) process.stdout.write(after);
  if (isPrint) {
    say(paint("dim", `for ${file}${link === undefined ? "" : `\nor open ${link}`}`));
    return 0;
  }
  if (isSame) {
    say(entry === undefined ? `${file} does not have ${plan.name}` : `${file} is up to date`);
    return 0;
  }
  if (!given.flag("json")) show(plan);
  if (!given.flag("yes") && !(await isConfirmed())) {
    say(`Nothing was written. ${process.stdin.isTTY ? "" : "Add --yes to write it."}`.trimEnd());
    return process.stdin.isTTY ? 0 : 1;
  }
  replaceFile(file, after, before);
  say(`${paint("green", "wrote")} ${file}`);
  if (entry !== undefined) say(plan.host.next);
  return 0;
}

async function planChange(given: Arguments): Promise<Plan> {
  const [word = ""] = given.positionals;
  const host = Object.hasOwn(hosts, word) ? hosts[word] : undefined;
  if (host === undefined) throw new UsageError(`Name a host: ${names.join(", ")}. Usage: ${help.usage}`);
  const folder = nearestPackage(process.cwd()) ?? process.cwd();
  const name = readName(given.text("name"), folder);
  const isRemoved = given.flag("remove");
  const server = isRemoved ? undefined : readServer(given);
  const file = fileOf(host, given.text("scope"), folder);
  const entry = server === undefined ? undefined : host.entry(server, name);
  const inputs = server === undefined ? [] : (host.inputs?.(server) ?? []);
  const before = given.flag("print") ? "" : readFile(file);
  const after = await editText(host.format, before, { file, at: host.at, name, entry, inputs });
  const link = server === undefined ? undefined : host.link?.(server, name);
  return { host, name, file, entry, link, before, after };
}

function readServer(given: Arguments): Server {
  const url = given.text("url");
  const variables = given.texts("env");
  if (url === undefined) {
    if (given.text("token-env") !== undefined) throw new UsageError("--token-env belongs to --url");
    return localServer(findProject(undefined), given.text("outdir") ?? "dist", variables);
  }
  if (variables.length > 0) throw new UsageError("--env is for a service that the host starts, without --url");
  return remoteServer(url, given.text("token-env"));
}

function fileOf(host: Host, scope: string | undefined, folder: string): string {
  const scopes = Object.keys(host.files) as readonly Scope[];
  const chosen = scope === undefined ? scopes[0] : scopes.find((one) => one === scope);
  const find = chosen === undefined ? undefined : host.files[chosen];
  if (find === undefined) throw new UsageError(`--scope of ${host.title}: ${scopes.join(" or ")}`);
  return find(placesOf(folder, process.env));
}

function readName(given: string | undefined, folder: string): string {
  const name = given ?? packageName(folder);
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is not a valid name of a server; give one of letters, digits, _ and - with --name`,
  );
}

function packageName(folder: string): string {
  const file = join(folder, "package.json");
  const { name = basename(folder) } = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { readonly name?: string })
    : {};
  return name.replace(/^@[^/]*\//, "").replaceAll(/[^A-Za-z0-9_-]+/g, "-");
}

function show({ file, before, after }: Plan): void {
  say(relative(process.cwd(), file).startsWith("..") ? file : relative(process.cwd(), file));
  for (const line of diffLines(before, after))
    say(line.startsWith("+") ? paint("green", line) : line.startsWith("-") ? paint("red", line) : line);
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question("Write it? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}
