import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import { installPackage } from "../support/install-package.ts";
import { bundlerNames } from "../../plugin/packages/bundler-names.ts";
import type esbuild from "../../plugin/bundlers/esbuild.ts";
import type rolldown from "../../plugin/bundlers/rolldown.ts";
import type rollup from "../../plugin/bundlers/rollup.ts";
import type rspack from "../../plugin/bundlers/rspack.ts";
import type vite from "../../plugin/bundlers/vite.ts";
import type webpack from "../../plugin/bundlers/webpack.ts";

/** The plugin for each bundler, as users import it. */
export interface Plugins {
  readonly esbuild: typeof esbuild;
  readonly rolldown: typeof rolldown;
  readonly rollup: typeof rollup;
  readonly rspack: typeof rspack;
  readonly vite: typeof vite;
  readonly webpack: typeof webpack;
  /** They come from the sources, not from the packed package. */
  readonly fromSources: boolean;
}

/** A copy of the fixture in a folder of its own. */
export interface BundlerProject extends Disposable {
  readonly root: string;
  readonly plugins: Plugins;
  path(...parts: string[]): string;
  read(file: string): string;
  write(files: Readonly<Record<string, string>>): void;
  /** Replaces text that must be there. */
  edit(file: string, from: string, to: string): void;
}

/**
 * Copies the fixture, installs its workspace package and tenon: the packed package where there is one, else the
 * sources.
 */
export async function bundlerProject(): Promise<BundlerProject> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tenon-bundlers-")));
  cpSync("test/fixtures/bundlers", root, { recursive: true });
  mkdirSync(join(root, "node_modules/@acme"), { recursive: true });
  symlinkSync(join(root, "packages/tools"), join(root, "node_modules/@acme/tools"));
  const folder = installTenon(root);
  const load = async (name: string): Promise<unknown> => {
    const file = join(folder, `plugin/bundlers/${name}.${folder.endsWith("dist") ? "js" : "ts"}`);
    const loaded = (await import(pathToFileURL(file).href)) as { default: unknown };
    return loaded.default;
  };
  const loaded = Object.fromEntries(await Promise.all(bundlerNames.map(async (name) => [name, await load(name)])));
  const plugins = { ...loaded, fromSources: !folder.endsWith("dist") } as unknown as Plugins;
  const path = (...parts: string[]): string => join(root, ...parts);
  const project: BundlerProject = {
    root,
    plugins,
    path,
    read: (file) => readFileSync(path(file), "utf8"),
    write(files) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(path(file)), { recursive: true });
        writeFileSync(path(file), text);
      }
    },
    edit(file, from, to) {
      const text = project.read(file);
      if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
      writeFileSync(path(file), text.replace(from, to));
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
  return project;
}

/** Folder with `plugin/` and `runtime/` in it. */
function installTenon(root: string): string {
  const packed = inject("packedPackage") as string | undefined;
  if (packed === undefined) return resolve(".");
  const installed = join(root, "node_modules/tenon");
  installPackage(installed);
  const { dependencies } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(root, "node_modules", name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(root, "node_modules", name));
  }
  return join(installed, "dist");
}

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Copies a build into an empty folder, where only its own files can be found, and runs a file of it. */
export function runMoved(
  outdir: string,
  file: string,
  flags: readonly string[] = [],
  node: string = process.execPath,
  env: Readonly<Record<string, string>> = {},
  input?: string,
): Run {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-moved-")));
  try {
    if (existsSync(outdir)) cpSync(outdir, folder, { recursive: true });
    const { PATH = "", HOME = "" } = process.env;
    const { status, stdout, stderr } = spawnSync(node, ["--enable-source-maps", join(folder, file), ...flags], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH, HOME, NO_COLOR: "1", ...env },
      ...(input !== undefined && { input }),
    });
    return { status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
