import type { Compiler as RspackCompiler } from "@rspack/core";
import type { Compilation, Compiler as WebpackCompiler, Module, NormalModule } from "webpack";
import type { Build } from "../../compile/build.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { cannotRun } from "../../packages/output-form.ts";
import { formatDiagnostic } from "../../diagnostics/format.ts";
import type { Outcome } from "../../compile/outcome/outcome.ts";
import { entryKinds } from "../../packages/entry-kind.ts";
import {
  addBuiltins,
  addRspackTypescript,
  addWebpackBanners,
  applyWebpackDefaults,
  entryPaths,
  moduleKind,
} from "./webpack-defaults.ts";

/** Hooks for webpack and Rspack, which share their plugin interface. */
export function webpackHost(build: Build, given: WebpackCompiler | RspackCompiler): void {
  const compiler = given as WebpackCompiler;
  const entries = entryPaths(compiler.options);
  const foreign = new Set([...entries].flatMap(([name, files]) => (entryKinds(files).allOther ? [name] : [])));
  applyWebpackDefaults(compiler.options, entryKinds([...entries.values()].flat()));
  addRspackTypescript(compiler);
  addWebpackBanners(compiler, {
    servesStdio: () => build.servesStdio(),
    builtins: addBuiltins(compiler),
    foreign,
  });
  compiler.options.module.rules.push({
    resource: (file: string) => build.packages.registersTools(file),
    sideEffects: true,
  });

  let outcome: Outcome | undefined;
  compiler.hooks.make.tap("tenon", () => {
    for (const file of [...entries.values()].flat()) build.enter(file);
    build.start();
  });
  compiler.hooks.thisCompilation.tap("tenon", (compilation) => {
    outcome = undefined;
    // This hook is the last one before the bundler joins modules and removes the inner modules from its list.
    compilation.hooks.finishModules.tapPromise("tenon", async (modules) => {
      const all = [...modules];
      await build.recover(all.filter((module) => !compilation.builtModules.has(module)).flatMap(fileOf));
      outcome = build.finish(all.flatMap(fileOf), compilation.errors.length === 0);
      for (const one of outcome.diagnostics) tell(compiler, compilation, one);
    });
  });
  compiler.hooks.afterEmit.tapPromise("tenon", async (compilation) => {
    if (outcome && compilation.errors.length === 0) build.write(outcome);
    const ours = [...compilation.entrypoints].flatMap(([name, one]) => (foreign.has(name) ? [] : one.getFiles()));
    const text = ours.map((file) => tellUnrunnable(compiler, file, build)).find((one) => one !== undefined);
    if (text !== undefined) compilation.warnings.push(new compiler.webpack.WebpackError(text));
  });
}

function tellUnrunnable(compiler: WebpackCompiler, file: string, { packages }: Build): string | undefined {
  const form = {
    folder: compiler.outputPath,
    file,
    kind: moduleKind(compiler),
    options: { extension: 'output: { filename: "[name].mjs" }', format: "output: { module: true }" },
  };
  return cannotRun(form, packages);
}

function fileOf(module: Module): readonly string[] {
  const { resource, resourceResolveData } = module as Partial<NormalModule>;
  const path: unknown = resourceResolveData?.["path"];
  if (typeof path === "string") return [path];
  // webpack writes a `#` of a path as `\0#`.
  return resource ? [resource.replace(/(?<!\0)[?#].*$/, "").replaceAll("\0#", "#")] : [];
}

// Adds a diagnostic to the compilation's list of errors: an exception would end webpack's watch mode.
function tell({ webpack }: WebpackCompiler, compilation: Compilation, diagnostic: Diagnostic): void {
  const { level, file, line, column = 1, length = 0 } = diagnostic;
  const error = new webpack.WebpackError(formatDiagnostic(diagnostic));
  error.hideStack = true;
  if (file !== undefined && line !== undefined) {
    error.file = file;
    error.loc = { start: { line, column: column - 1 }, end: { line, column: column - 1 + length } };
  }
  (level === "error" ? compilation.errors : compilation.warnings).push(error);
}
