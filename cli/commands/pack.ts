import { relative, resolve } from "node:path";
import { compileServiceFile } from "../build/compile-entry.ts";
import { formatBytes, paint, printJson, say } from "../base/output.ts";
import { type Arguments, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";
import { writeResult } from "../base/write-result.ts";
import { mcpbFile, packMcpb } from "../pack/pack-mcpb.ts";
import { packServerJson } from "../pack/pack-server-json.ts";
import { readPackageFacts } from "../pack/package-facts.ts";

export const help: CommandHelp = {
  usage: "tenon pack mcpb|server-json [entry] [options]",
  summary:
    "mcpb: writes the built service as an MCP bundle, which hosts install with a click. server-json: writes the service's entry in the MCP registry, which `tenon check` then keeps true.",
  options: {
    output: { type: "string", short: "o", value: "FILE", help: "mcpb: the file, default <name>-<version>.mcpb" },
    env: {
      type: "string",
      value: "NAME[=DEFAULT]",
      multiple: true,
      help: "a variable of the service that its code does not name; may be given several times",
    },
    remote: {
      type: "string",
      value: "URL",
      multiple: true,
      help: "server-json: address at which the service runs for everybody",
    },
    mcpb: { type: "string", value: "URL", help: "server-json: address at which the packed bundle is published" },
    json: { type: "boolean", help: "print what was written as JSON" },
  },
  examples: [
    "tenon pack mcpb",
    "tenon pack server-json --remote https://tools.example.org/mcp",
    "tenon pack server-json --mcpb https://github.com/ada/primes/releases/download/v1.2.0/primes-1.2.0.mcpb",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 2, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [kind, entry] = given.positionals;
  const wrong = (names: readonly string[]): string | undefined =>
    names.find((name) => given.text(name) !== undefined || given.texts(name).length > 0);
  const only = kind === "mcpb" ? wrong(["remote", "mcpb"]) : wrong(["output"]);
  if (kind !== "mcpb" && kind !== "server-json")
    throw new UsageError(`Say what to pack: mcpb or server-json. Usage: ${help.usage}`);
  if (only !== undefined) throw new UsageError(`--${only} is not for \`tenon pack ${kind}\`.`);
  for (const word of given.texts("env")) {
    if (!/^[A-Za-z_]\w*(?:=|$)/.test(word))
      throw new UsageError(`--env ${JSON.stringify(word)} is not a valid name of a variable`);
  }
  for (const url of [...given.texts("remote"), ...[given.text("mcpb") ?? []].flat()]) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
      throw new UsageError(`${JSON.stringify(url)} is not an http address`);
  }
  return kind === "mcpb" ? writeMcpb(given, entry) : writeServerJson(given, entry);
}

async function writeMcpb(given: Arguments, entry: string | undefined): Promise<number> {
  const { definition, project } = await compileServiceFile(entry, { derivesUrns: true });
  const output = given.text("output");
  const file = output === undefined ? mcpbFile(readPackageFacts(project.root), definition) : resolve(output);
  const { content, sha256, manifest, files, platform } = await packMcpb(project, definition, given.texts("env"));
  writeResult(file, content);
  if (given.flag("json")) printJson({ file, bytes: content.length, sha256, files, manifest });
  else {
    say(
      `${paint("green", "wrote")} ${relative(process.cwd(), file)}  ${formatBytes(content.length)}, ${files.length} files`,
    );
    say(paint("dim", `sha256 ${sha256}`));
    if (platform !== undefined) say(`It holds native code, and runs on ${platform} only.`);
  }
  return 0;
}

async function writeServerJson(given: Arguments, entry: string | undefined): Promise<number> {
  const compiled = await compileServiceFile(entry, { derivesUrns: true });
  const remotes = given.texts("remote");
  const { file, text, committed } = await packServerJson(compiled, {
    ...(remotes.length > 0 && { remotes }),
    mcpb: given.text("mcpb"),
    variables: given.texts("env"),
  });
  const changed = text !== committed;
  if (changed) writeResult(file, text);
  const shown = relative(process.cwd(), file);
  if (given.flag("json")) printJson({ file, changed, server: JSON.parse(text) as unknown });
  else say(changed ? `${paint("green", "wrote")} ${shown}` : `${shown} is up to date`);
  return 0;
}
