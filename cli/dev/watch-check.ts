import { join, relative, resolve } from "node:path";
import { openSession, type Session } from "../../plugin/index.ts";
import { paint, printText, say } from "../base/output.ts";
import { CommandError } from "../base/usage.ts";
import { skillFolders } from "./skill-folders.ts";
import { type Changes, createFileWatcher } from "./watch-files.ts";
import { findProject } from "../project/project.ts";
import { isSettings, settingsFiles } from "../project/settings-files.ts";
import type { CompiledEntry } from "../build/compile-entry.ts";

/**
 * Runs one check of the compiled entry. Prints the outcome, and resolves to the exit code that a single check would
 * have.
 */
type CheckOnce = (made: CompiledEntry, print: (outcome: object) => void) => Promise<number>;

interface WatchOptions {
  readonly entry: string | undefined;
  /** True: prints one line of JSON for each check on standard output. */
  readonly isJson: boolean;
  /** A file, or another name of a contract, with which the project is compared. */
  readonly against: string | undefined;
}

/** Milliseconds by which modification times of files may lag behind the clock. */
const clockError = 20;
/** Clears the screen of a terminal, and the lines that have scrolled out of it. */
const clearScreen = "\u001B[2J\u001B[3J\u001B[H";
/** Files in the folder of a project, existing or not, that affect a check in addition to the code. */
const projectFiles = [...settingsFiles, "service.json", "server.json", "resources.json", "Dockerfile"];

/**
 * Checks a project now and after each change of its files, until Ctrl-C. Resolves to the status of the last check.
 * Background tasks of editors recognise a check by its first and its last line: `watchPatterns` in
 * cli/project/vscode-files.ts.
 */
export async function watchCheck({ entry, isJson, against }: WatchOptions, check: CheckOnce): Promise<number> {
  let project = findProject(entry);
  let session: Session | undefined;
  let known: readonly string[] = [];
  let status = 0;
  let waiting: Changes | undefined = { files: new Set(), appeared: false };
  let running: Promise<void> | undefined;

  async function judge(print: (outcome: object) => void): Promise<number> {
    try {
      project = findProject(entry);
      session ??= openSession({ root: project.root, entry: project.entry, judgesTexts: true });
      const compiled = await session.compile();
      known = [...compiled.dependencies, ...(compiled.service ? [compiled.service.file] : [])];
      return await check({ ...compiled, project }, print);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      print({ error: error.message });
      say(error.message);
      return 1;
    }
  }

  async function checkOnce(): Promise<void> {
    const [since, started] = [Date.now() - clockError, performance.now()];
    if (process.stderr.isTTY) process.stderr.write(clearScreen);
    say(paint("dim", `${clock()} checking ${relative(process.cwd(), project.entry)}`));
    let outcome: object = {};
    status = await judge((told) => (outcome = told));
    if (isJson) printText(`${JSON.stringify({ status, ...outcome })}\n`);
    const taken = Math.round(performance.now() - started);
    say(paint("dim", `${clock()} checked in ${taken} ms, waiting for changes`));
    const others = projectFiles.map((name) => join(project.root, name));
    const files = new Set([...known, ...others, ...(against === undefined ? [] : [resolve(against)])]);
    watcher.watch(files, { since, missing: status !== 0, folders: skillFolders(project.entry) });
  }

  async function checkAll(): Promise<void> {
    for (let next = waiting; next !== undefined; next = waiting) {
      waiting = undefined;
      if ([...next.files].some(isSettings)) session = void session?.dispose();
      session?.refresh();
      await checkOnce();
    }
    running = undefined;
  }

  const ended = Promise.withResolvers<void>();
  const watcher = createFileWatcher(({ files, appeared }) => {
    waiting = { files: new Set([...(waiting?.files ?? []), ...files]), appeared };
    running ??= checkAll().catch(ended.reject);
  });
  process.once("SIGINT", () => ended.resolve());
  process.once("SIGTERM", () => ended.resolve());
  running = checkAll().catch(ended.reject);
  await ended.promise;
  watcher.close();
  await running;
  watcher.close();
  session?.dispose();
  return status;
}

/** The time of day, printed before the lines of a check. */
function clock(): string {
  return new Date().toLocaleTimeString("en-GB");
}
