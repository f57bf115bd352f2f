import type { CommandHelp } from "./base/usage.ts";

/** Module of a command: `run` gets the arguments after the command and resolves to the exit code. */
export interface Command {
  readonly run: (words: readonly string[]) => Promise<number>;
  /** Undefined: the command has only parts, which have one each. */
  readonly help?: CommandHelp;
  /** Subcommands by their names. */
  readonly parts?: Readonly<Record<string, () => Promise<Command>>>;
}

export interface ListedCommand {
  /** Its line in the text of `tenon --help`. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** All commands by their names. They are loaded on demand, so that `tenon --help` does not load a compiler. */
export const commands: Readonly<Record<string, ListedCommand>> = {
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
    summary: "write functions for tenon from a service of another library, such as Hono, tsoa or the MCP SDK",
    load: () => import("./commands/adopt.ts"),
  },
  init: {
    summary: "make a new service that builds, runs and passes its test",
    load: () => import("./commands/init.ts"),
  },
};
