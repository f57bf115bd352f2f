import type { InputOptions } from "rolldown";
import { resolve } from "node:path";
import { composeBanner } from "../../hooks/banner.ts";
import type { Build } from "../../compile/build.ts";
import type { Outcome } from "../../compile/outcome.ts";
import { dropLateBanners, type OutputFile } from "./late-banners.ts";
import { BuildError, type LocatedLog, reportText, toLog } from "../../hooks/report.ts";

/** The part of a plugin context that Rollup, Rolldown and Vite share. */
interface Context {
  getModuleIds(): Iterable<string>;
  warn(log: LocatedLog): void;
}

interface OutputNames {
  file?: string | undefined;
  format?: string | undefined;
  entryFileNames?: unknown;
  chunkFileNames?: unknown;
}

/** Hooks that Rollup, Rolldown and Vite have in common. */
export interface SharedHooks {
  buildStart(options: { readonly input: unknown; readonly cwd?: string | undefined }): void;
  buildEnd(this: Context, error?: Error): void;
  writeBundle(): void;
  banner(): string;
  generateBundle(options: unknown, bundle: Readonly<Record<string, OutputFile>>): void;
  watchChange(id: string): void;
}

/** Reports all problems at the end of the build, and writes the definition after the bundle. */
export function sharedHooks(build: Build, mode: { readonly builtins: boolean }): SharedHooks {
  let outcome: Outcome | undefined;
  const banner = (): string =>
    composeBanner({ commonJsNames: true, stdio: build.servesStdio(), builtins: mode.builtins });
  return {
    buildStart({ input, cwd = process.cwd() }) {
      for (const file of inputFiles(input)) build.enter(resolve(cwd, file));
      build.start();
    },
    buildEnd(error) {
      outcome = build.finish(this.getModuleIds());
      const { diagnostics, failed } = outcome;
      if (!failed) for (const one of diagnostics) this.warn(toLog(one));
      // The bundler's own error stays visible beside ours.
      else if (error) this.warn({ message: reportText(diagnostics) });
      else throw new BuildError(diagnostics);
    },
    writeBundle() {
      if (outcome) build.write(outcome);
    },
    banner,
    generateBundle: (_options, bundle) => dropLateBanners(bundle, banner()),
    watchChange: (id) => build.invalidate(id),
  };
}

/** The paths in an `input` option, which may be a text, a list or an object. */
export function inputFiles(input: unknown): readonly string[] {
  const list = typeof input === "object" && input !== null ? Object.values(input) : [input];
  return list.filter((one) => typeof one === "string");
}

/** The hooks of Rollup: the shared ones, and names for the output. */
export interface RollupHost extends SharedHooks {
  outputOptions<T extends OutputNames>(options: T): T;
}

/** Adds Rollup's own hooks to the shared ones. */
export function rollupHost(build: Build, builtins = false): RollupHost {
  return { ...sharedHooks(build, { builtins }), outputOptions: withModuleNames };
}

/** The hooks of Rolldown: those of Rollup, and the oldest Node as the platform. */
export interface RolldownHost extends RollupHost {
  options(options: InputOptions): InputOptions;
}

/** Adds Rolldown's own hooks to the shared ones. */
export function rolldownHost(build: Build): RolldownHost {
  return {
    ...rollupHost(build, true),
    options: (options) => ({
      ...options,
      platform: options.platform ?? "node",
      transform: { ...options.transform, target: options.transform?.target ?? "node22" },
    }),
  };
}

// A `.mjs` file runs as an ES module in any folder, whatever package.json is beside it.
function withModuleNames<T extends OutputNames>(options: T): T {
  const { file, format = "es", entryFileNames = "[name].mjs", chunkFileNames = "chunks/[name]-[hash].mjs" } = options;
  if (file !== undefined || !["es", "esm", "module"].includes(format)) return options;
  return { ...options, entryFileNames, chunkFileNames };
}
