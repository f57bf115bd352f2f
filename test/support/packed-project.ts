import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { bareEnv } from "./bare-env.ts";
import { forOthers } from "./for-others.ts";
import { installPackage } from "./install-package.ts";

const modules = resolve("node_modules");

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly stop: () => Promise<number | null>;
}

/** An empty folder with the packed package installed, as a user has it. */
export interface PackedProject {
  readonly root: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  read(path: string): string;
  remove(path: string): void;
  /** Runs a program of the project with the Node that runs the tests. */
  node(
    words: readonly string[],
    options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string },
  ): Finished;
  tenon(...words: readonly string[]): Finished;
  dispose(): void;
}

export interface PackedProjectOptions {
  /** The TypeScript that is installed beside; default none. */
  readonly typescript?: "typescript" | "typescript-5" | "typescript-7";
  /** More packages of the repository's node_modules that the project has. */
  readonly packages?: readonly string[];
}

/** Makes the folder; `files` are written into it. Dependencies are links into the repository's own installation. */
export function packedProject(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: PackedProjectOptions = {},
): PackedProject {
  const root = makeRoot();
  const installed = join(root, "node_modules");
  mkdirSync(installed);
  installPackage(join(installed, "tenon"));
  const { dependencies } = JSON.parse(readFileSync(join(installed, "tenon/package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), "@types/node", ...(options.packages ?? [])])
    link(name, join(installed, name));
  if (options.typescript !== undefined) {
    const other = options.typescript === "typescript" ? "" : `../test/versions/${options.typescript}/node_modules/`;
    link(`${other}typescript`, join(installed, "typescript"));
  }
  const project: PackedProject = {
    root,
    write: (more) => {
      for (const [path, text] of Object.entries(more)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    remove: (path) => rmSync(join(root, path), { recursive: true, force: true }),
    node: (words, { cwd = root, env = {}, input } = {}) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, words, {
        cwd,
        encoding: "utf8",
        env: { ...cleanEnv(), ...bareEnv(), ...env },
        ...(input !== undefined && { input }),
      });
      return { status, stdout, stderr };
    },
    tenon: (...words) => project.node([join(installed, "tenon/dist/cli/main.js"), ...words]),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
  project.write({
    "package.json": '{ "name": "user-project", "private": true, "type": "module", "version": "1.2.3" }\n',
    ...files,
  });
  return project;
}

/**
 * Starts a built service on a free port, or on that of `--port` among the flags; resolves when it says where it
 * listens.
 */
export async function serve(
  file: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  identity: { readonly uid?: number; readonly gid?: number } = {},
): Promise<Served> {
  const port = flags.includes("--port") ? [] : ["--port", "0"];
  const program = identity.uid === undefined ? process.execPath : forOthers(process.execPath);
  const child = spawn(program, [file, "--host", "127.0.0.1", ...port, ...flags], {
    cwd: dirname(file),
    env: { ...cleanEnv(), ...env },
    stdio: ["ignore", "ignore", "pipe"],
    ...identity,
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  ended.catch(() => {});
  let said = "";
  const url = await new Promise<string>((found, failed) => {
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`ended with ${code} before it listened:\n${said}`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      said += `${line}\n`;
      const at = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (at !== null) found(at[0]);
    });
  });
  return {
    url,
    child,
    stderr: () => said,
    stop: async () => {
      child.kill("SIGTERM");
      return (await ended)[0];
    },
  };
}

/**
 * A folder under the first name that no project of this worker has now: under the path of an earlier one, processes
 * find the code of the package compiled.
 */
function makeRoot(): string {
  const folder = realpathSync(tmpdir());
  for (let number = 1; ; number++) {
    const root = join(folder, `tenon-user-${process.pid}-${number}`);
    try {
      mkdirSync(root, { mode: 0o700 });
      return root;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Variables of a user's shell: nothing of the test runner's. */
function cleanEnv(): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, NO_COLOR: "1" };
}

function link(name: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(realpathSync(join(modules, name)), to);
}
