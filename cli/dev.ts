import { type ChildProcess, fork } from "node:child_process";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { asCommandError, rolldownOptions } from "./bundle.ts";
import { paint, say } from "./output.ts";
import { findProject, type Project } from "./project.ts";
import { type Arguments, UsageError, type CommandHelp, withArguments } from "./usage.ts";

const help: CommandHelp = {
  usage: "tenon dev [entry] [options]",
  summary:
    "Builds the service, serves REST and MCP on a loopback port and rebuilds on change. A wrong edit shows its diagnostic while the last good build keeps serving.",
  options: {
    port: { type: "string", short: "p", value: "N", help: "port, default PORT or 8090" },
    host: { type: "string", value: "HOST", help: "address to bind, default 127.0.0.1" },
  },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const project = findProject(given.positionals[0]);
  const port = given.text("port") ?? process.env.PORT ?? "8090";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError(`--port ${port} is not a port number.`);
  const host = new DevHost([...["--host", given.text("host") ?? "127.0.0.1"], "--port", port, "--with-mcp"]);
  const watcher = await watchProject(project, host);
  return new Promise((resolve) => {
    const stop = (): void => {
      void Promise.all([watcher.close(), host.stop()]).then(() => resolve(0));
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
}

async function watchProject(project: Project, host: DevHost): Promise<{ close(): Promise<void> }> {
  const { watch } = await import("rolldown");
  const outdir = join(project.root, ".tenon", "dev");
  const warnings = createNews();
  const { output, ...input } = rolldownOptions(project, { outdir, dev: true, onWarning: warnings.add });
  if (output === undefined || Array.isArray(output)) throw new TypeError("rolldownOptions gives one output");
  const watcher = watch({ ...input, output });
  let started = performance.now();
  watcher.on("event", (event) => {
    if (event.code === "BUNDLE_START") started = performance.now();
    if (event.code === "BUNDLE_END" || event.code === "ERROR") warnings.next().forEach(say);
    if (event.code === "BUNDLE_END") {
      const entry = join(outdir, `${entryName(project.entry)}.mjs`);
      host.load(entry);
      say(
        paint(
          "dim",
          `built ${relative(process.cwd(), project.entry)} in ${Math.round(performance.now() - started)} ms`,
        ),
      );
      void event.result.close();
    }
    if (event.code === "ERROR") {
      say(asCommandError(event.error, project).message);
      if (host.serving) say(paint("yellow", "The last good build keeps serving."));
      void event.result?.close();
    }
  });
  return watcher;
}

/** Tells of each build only what the one before has not told already. */
function createNews(): { add(message: string): void; next(): readonly string[] } {
  let told: ReadonlySet<string> = new Set();
  let current = new Set<string>();
  return {
    add: (message) => void current.add(message),
    next() {
      const news = [...current].filter((message) => !told.has(message));
      told = current;
      current = new Set();
      return news;
    },
  };
}

function entryName(entry: string): string {
  return (entry.split(/[\\/]/).pop() ?? entry).replace(/\.[^.]+$/, "");
}

/** The process that serves. It lives across builds and loads each of them; a crash is told and mended by the next build. */
class DevHost {
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #stopping = false;

  constructor(flags: readonly string[]) {
    this.#flags = flags;
  }

  get serving(): boolean {
    return this.#child !== undefined;
  }

  load(entry: string): void {
    this.#child ??= this.#spawn();
    this.#child.send({ load: entry });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }

  #spawn(): ChildProcess {
    // From `dist/cli/dev.js` the host is a sibling `.js`; from the sources it is a sibling `.ts`.
    const host = fileURLToPath(import.meta.url).replace(/dev\.(js|ts)$/, "dev-host.$1");
    const child = fork(host, this.#flags, {
      execArgv: ["--enable-source-maps"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.once("exit", (code, signal) => {
      this.#child = undefined;
      if (!this.#stopping)
        say(paint("red", `The service ended (${signal ?? `code ${code}`}); the next change starts it again.`));
    });
    return child;
  }
}
