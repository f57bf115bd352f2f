import type { Plugin } from "rolldown";
import { composeBanner } from "../hooks/banner.ts";
import { createBuild } from "../compile/build.ts";
import type { CompiledModule } from "../compile/compiled-module.ts";
import { withoutLastSkills } from "../compile/with-skills.ts";
import { startsService } from "../packages/find-tool-files.ts";
import { viewSuffix } from "../model/view-specifier.ts";
import { moduleHooks } from "../hooks/module-hooks.ts";
import { scriptHooks } from "../hooks/standard-decorators.ts";
import { readOptions } from "../compile/options.ts";
import { BuildError, toLog } from "../hooks/report.ts";

export { startsService, viewSuffix };

/** The plugin for `tenon dev`, which combines several small builds into one build of a service. */
export interface DevPlugin {
  /** Plugins for each of the small builds. */
  readonly plugins: readonly Plugin[];
  /** Begins a build, and forgets files that changed on disk. */
  begin(entry: string): void;
  /** The compiled module of a file; undefined for a file without tools. */
  compiled(file: string): CompiledModule | undefined;
  /** The files of the view in a module with this id; undefined for another module. */
  viewFiles(id: string): readonly string[] | undefined;
  /** Ends a build of these modules. Throws a `BuildError`. */
  finish(modules: readonly string[]): FinishedBuild;
  /** Returns the code that must run before any module of the service. */
  banner(): string;
}

/** A build without errors. */
export interface FinishedBuild {
  readonly warnings: readonly string[];
  /** The service definition; its text is made on demand. */
  readonly definition?: { readonly file: string; readonly text: string };
  writeDefinition(): void;
}

/** Creates the plugin for one `tenon dev`. */
export function createDevPlugin(): DevPlugin {
  const build = createBuild(readOptions({}));
  const views = new Map<string, readonly string[]>();
  const remembering = {
    ...build,
    async view(file: string) {
      const view = await build.view(file);
      views.set(`${file}${viewSuffix}`, view.files);
      return view;
    },
    async compile(file: string, text: string) {
      const found = await build.compile(file, text);
      return startsService(text) ? withoutLastSkills(found, text) : found;
    },
  };
  return {
    plugins: [
      moduleHooks(remembering, { serving: false, builtins: true, isRollupLike: true, watchesForBuild: true }),
      scriptHooks(),
    ],
    begin(entry) {
      build.enter(entry);
      build.start();
    },
    compiled: build.compiled,
    viewFiles: (id) => views.get(id),
    finish(modules) {
      const outcome = build.finish(modules);
      if (outcome.failed) throw new BuildError(outcome.diagnostics);
      return {
        warnings: outcome.diagnostics.map((one) => toLog(one).message),
        ...(outcome.serviceFile && { definition: outcome.serviceFile }),
        writeDefinition: () => build.write(outcome),
      };
    },
    banner: () => composeBanner({ commonJsNames: true, stdio: build.servesStdio(), builtins: true }),
  };
}
