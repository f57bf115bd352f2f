import { relative } from "node:path";
import { asCommandError } from "../build/bundle.ts";
import { watchContract } from "../contracts/against/watch-contract.ts";
import { openDevFolder } from "../dev/dev-folder.ts";
import { nextFreePort } from "../dev/free-port.ts";
import { createIdleMemory } from "../dev/idle-memory.ts";
import { listenToKeys } from "../dev/keys.ts";
import { createServedProcess, type ServedProcess } from "../dev/served-process.ts";
import { skillFolders } from "../dev/skill-folders.ts";
import { watchTypes } from "../dev/type-errors.ts";
import { type Changes, createFileWatcher } from "../dev/watch-files.ts";
import { withoutMarks } from "../base/colours.ts";
import { paint, say } from "../base/output.ts";
import { findProject, type Project } from "../project/project.ts";
import { type Arguments, UsageError, type CommandHelp, withArguments } from "../base/usage.ts";

export const help: CommandHelp = {
  usage: "tenon dev [entry] [options]",
  summary:
    "Builds the service, serves REST, MCP and the console on a loopback port and rebuilds on change. Shows every call and its steps; on a terminal the keys o, r, c and q open the console, restart, clear and quit. A wrong edit shows its diagnostic while the last good build keeps serving. Web pages of other ports may call it once they are listed: TENON_ALLOWED_ORIGINS=http://localhost:5173 tenon dev.",
  options: {
    port: {
      type: "string",
      short: "p",
      value: "N",
      help: "port, default PORT or 8090; the next free one where it is taken",
    },
    host: { type: "string", value: "HOST", help: "address to bind, default 127.0.0.1" },
    inspect: { type: "boolean", help: "let a debugger connect to the service, on port 9229 or the next free one" },
    "no-types": { type: "boolean", help: "show no type errors of the project's own TypeScript" },
  },
};

/** Milliseconds by which the modification time of a file may lag behind the clock. */
const clockError = 20;

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const project = findProject(given.positionals[0]);
  const port = given.text("port") ?? process.env.PORT ?? "8090";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError(`--port ${port} is not a port number.`);
  const host = given.text("host") ?? "127.0.0.1";
  const free = await nextFreePort(Number(port), host);
  if (free !== Number(port)) say(paint("yellow", `Port ${port} is taken; this is ${free}.`));
  const inspect = given.flag("inspect") ? await nextFreePort(9229, "127.0.0.1") : undefined;
  const flags = ["--host", host, "--port", String(free), "--with-mcp"];
  // Hides steps in the log, since the terminal already shows them. Without a sidecar, the service would log each step
  // again.
  if ((process.env.PLATFORM_BASE_URL ?? "") === "") flags.push("--test-without-sidecar");
  const { stop, served } = await serve(project, flags, inspect);
  const types = given.flag("no-types") ? undefined : watchTypes(project.root);
  let forgetKeys = (): void => {};
  await new Promise<void>((resolve) => {
    forgetKeys = listenToKeys({ ...served, quit: resolve });
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  forgetKeys();
  types?.stop();
  await stop();
  return 0;
}

/** Builds, and rebuilds after every change, one build after the other. */
async function serve(
  project: Project,
  flags: readonly string[],
  inspect: number | undefined,
): Promise<{ readonly served: ServedProcess; stop(): Promise<void> }> {
  // The bundler's allocator returns freed memory to the system after a delay of a second, and only at its next use,
  // which after a save does not come. Delay 0 makes it return memory at once. The allocator reads this variable when it
  // is loaded.
  process.env["MIMALLOC_PURGE_DELAY"] ??= "0";
  const { createDevBuild } = await import("../dev/dev-build.ts");
  const folder = openDevFolder(project.root);
  const dev = createDevBuild(project, folder.outdir);
  const served = createServedProcess(flags, {
    failed: dev.retry,
    opened: folder.note,
    ...(inspect !== undefined && { inspect }),
  });
  const contract = watchContract(project.root);
  const news = createNews();
  const memory = createIdleMemory();
  let loaded: string | undefined;
  let failure: string | undefined;
  let waiting: Changes | undefined = { files: new Set(), appeared: false };
  let building: Promise<void> | undefined;

  async function build({ files, appeared }: Changes): Promise<void> {
    const since = Date.now() - clockError;
    const started = performance.now();
    let missing = false;
    try {
      const { warnings, definition, writeDefinition, ...built } = await dev.build(files, appeared);
      const isFirst = loaded === undefined;
      served.unbuilt(undefined);
      const isNew = built.entry !== loaded || !served.serving();
      const committed = contract.begin(definition?.file);
      if (isNew) served.load({ ...built, committed });
      loaded = built.entry;
      news(warnings).forEach(say);
      writeDefinition();
      const taken = Math.round(performance.now() - started);
      if (isNew || files.size > 0)
        say(paint("dim", `${toldFiles(files)}built ${relative(process.cwd(), project.entry)} in ${taken} ms`));
      // The check is not awaited: it concerns later edits, not the state at the start.
      const broken = definition === undefined ? undefined : await contract.judge(definition.text);
      if (broken !== undefined && !isFirst) say(paint("yellow", broken));
    } catch (error) {
      missing = true;
      const { message } = asCommandError(error, project);
      served.unbuilt(withoutMarks(message));
      // A file has appeared that is not the missing one, so the failure was already shown.
      const isKnown = files.size === 0 && message === failure;
      failure = message;
      if (!isKnown) say(message);
      if (!isKnown && served.serving()) say(paint("yellow", "The last good build keeps serving."));
    }
    watcher.watch(dev.files(), { since, missing, folders: skillFolders(project.entry) });
  }

  async function buildAll(): Promise<void> {
    memory.work();
    for (let next = waiting; next !== undefined; next = waiting) {
      waiting = undefined;
      await build(next);
    }
    building = undefined;
    memory.rest();
  }

  const watcher = createFileWatcher(({ files, appeared }) => {
    waiting = {
      files: new Set([...(waiting?.files ?? []), ...files]),
      appeared: appeared || waiting?.appeared === true,
    };
    building ??= buildAll();
  });
  building = buildAll();
  return {
    served,
    async stop() {
      watcher.close();
      await Promise.all([building, served.stop()]);
      watcher.close();
      folder.remove();
    },
  };
}

/** Formats the line that precedes the effects of a save: its time and the changed files. */
function toldFiles(files: ReadonlySet<string>): string {
  const [first, ...more] = [...files].map((file) => relative(process.cwd(), file));
  if (first === undefined) return "";
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  return `${new Date().toLocaleTimeString("en-GB")} ${first}${others} changed, `;
}

/** Creates a filter that removes messages which the previous build has already shown. */
function createNews(): (messages: readonly string[]) => readonly string[] {
  let told: ReadonlySet<string> = new Set();
  return (messages) => {
    const current = new Set(messages);
    const news = [...current].filter((message) => !told.has(message));
    told = current;
    return news;
  };
}
