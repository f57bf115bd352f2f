#!/usr/bin/env node
import { nearestName } from "../runtime/contract/nearest-name.ts";
import { endWithReader } from "./base/closed-pipe.ts";
import { say } from "./base/output.ts";
import { CommandError, UsageError } from "./base/usage.ts";
import { isAtLeast, oldestNode, packageVersion } from "./base/version.ts";

/** Module of a command: `run` gets the arguments after the command and resolves to the exit code. */
interface Command {
  readonly run: (words: readonly string[]) => Promise<number>;
}

// Commands are loaded on demand, so that `tenon --help` does not load a compiler.
const commands: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>> = {
  dev: { summary: "build, serve and rebuild on change", load: () => import("./commands/dev.ts") },
  build: { summary: "write a self-contained service to dist/", load: () => import("./commands/build.ts") },
  generate: { summary: "write the service definition, service.json", load: () => import("./commands/generate.ts") },
  check: {
    summary: "verify that the committed service definition is up to date",
    load: () => import("./commands/check.ts"),
  },
  inspect: { summary: "print the generated stages of a tool", load: () => import("./commands/inspect.ts") },
  call: { summary: "call a tool and show its steps as they happen", load: () => import("./commands/call.ts") },
  client: { summary: "write a typed client of a service into one file", load: () => import("./commands/client.ts") },
  eval: {
    summary: "ask a model the @ask sentences of the tools, and report what it picks",
    load: () => import("./commands/eval.ts"),
  },
  explain: {
    summary: "print what a diagnostic means, or a page of the documentation",
    load: () => import("./commands/explain.ts"),
  },
  platform: {
    summary: "a platform on this machine: jobs, artifacts, services",
    load: () => import("./commands/platform.ts"),
  },
  queue: {
    summary: "how many jobs of a running service wait and run; drain and cancel a key of a limit",
    load: () => import("./commands/queue.ts"),
  },
  schedules: {
    summary: "when the tools of a running service start by themselves; pause and resume",
    load: () => import("./commands/schedules.ts"),
  },
  store: {
    summary: "create or update the tables of a job store in PostgreSQL",
    load: () => import("./commands/store.ts"),
  },
  install: {
    summary: "tell an MCP host, such as Claude Code or VS Code, of the service",
    load: () => import("./commands/install.ts"),
  },
  pack: {
    summary: "write an MCP bundle, or the service's entry in the MCP registry",
    load: () => import("./commands/pack.ts"),
  },
  lsp: {
    summary: "a language server: findings, fixes and hovers in editors",
    load: () => import("./commands/lsp.ts"),
  },
  adopt: {
    summary: "write functions for tenon from a service of zod, tsoa or ts-rest",
    load: () => import("./commands/adopt.ts"),
  },
  init: {
    summary: "make a new service that builds, runs and passes its test",
    load: () => import("./commands/init.ts"),
  },
};

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
