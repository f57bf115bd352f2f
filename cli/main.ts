#!/usr/bin/env node
import { nearestName } from "../runtime/contract/nearest-name.ts";
import { endWithReader } from "./base/closed-pipe.ts";
import { say } from "./base/output.ts";
import { CommandError, UsageError } from "./base/usage.ts";
import { commands } from "./command-list.ts";
import { isAtLeast, oldestNode, packageVersion } from "./base/version.ts";

function overview(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  return [
    "Usage: tenon <command> [options]",
    "",
    "Turns documented TypeScript functions into REST endpoints, MCP tools and batch workers.",
    "",
    "Commands:",
    ...rows,
    "",
    "`tenon <command> --help` tells more. `tenon --version` prints the version.",
    "",
  ].join("\n");
}

async function main(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(overview());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const meant = nearestName(name, Object.keys(commands));
    throw new UsageError(
      `There is no command ${JSON.stringify(name)}. ${meant === undefined ? `Commands: ${Object.keys(commands).join(", ")}` : `Did you mean \`tenon ${meant}\`?`}`,
    );
  }
  // Node's version is checked before the command is loaded, since the command's modules import APIs that older versions
  // lack.
  if (!isAtLeast(process.versions.node, oldestNode())) {
    throw new CommandError(
      `This is Node ${process.versions.node}, and tenon needs ${oldestNode()} or later. Install a newer Node, and run the command again.`,
    );
  }
  return (await command.load()).run(rest);
}

// Keeps the bundler's allocator, which reads this variable when it is loaded, from using huge pages. A build uses only
// a small part of each page, and the kernel would spend a third of the build's processor time on zeroing them.
process.env["MIMALLOC_ALLOW_THP"] ??= "0";

endWithReader(process.stdout);
endWithReader(process.stderr);
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    const [name = ""] = process.argv.slice(2);
    const help = Object.hasOwn(commands, name)
      ? `\`tenon ${name} --help\` tells its options.`
      : "`tenon --help` lists the commands.";
    say(`tenon: ${error.message}\n       ${help}`);
    process.exitCode = 2;
  } else if (error instanceof CommandError) {
    say(`tenon: ${error.message}`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
