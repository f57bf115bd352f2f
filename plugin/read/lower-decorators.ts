import { ts } from "ts-morph";
import { openConfig } from "./project/compiler-config.ts";

/** A module without decorators: JavaScript for the oldest Node. */
export interface LoweredModule {
  readonly code: string;
  /** Source map as JSON. */
  readonly map: string;
}

/**
 * Compiles a module with standard decorators, which no Node version can run. Undefined if the tsconfig has
 * `experimentalDecorators`: bundlers lower those decorators themselves.
 */
export function lowerDecorators(code: string, file: string, root: string): LoweredModule | undefined {
  // The project's settings are ignored for scripts of packages.
  const options = file.includes("node_modules") ? {} : openConfig(root, undefined, file).at("lean").options;
  if (options.experimentalDecorators === true) return undefined;
  const { useDefineForClassFields, verbatimModuleSyntax } = options;
  const { outputText, sourceMapText = "" } = ts.transpileModule(code, {
    fileName: file,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      jsx: ts.JsxEmit.Preserve,
      sourceMap: true,
      isolatedModules: true,
      ...(useDefineForClassFields !== undefined && { useDefineForClassFields }),
      ...(verbatimModuleSyntax !== undefined && { verbatimModuleSyntax }),
    },
  });
  const text = outputText
    .replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "\n")
    // Removes the reuse of helpers from `this`: a module has no `this`, and Rollup warns about it. Helpers are not in
    // the source map.
    .replace(/^var (__\w+) = \(this && this\.\1\) \|\| /gm, "var $1 = ");
  return { code: text, map: sourceMapText };
}
