import { ts } from "ts-morph";
import { openConfig } from "./project/compiler-config.ts";

/** A module without decorators: JavaScript for the oldest Node. */
export interface LoweredModule {
  readonly code: string;
  /** A source map as JSON. */
  readonly map: string;
}

/**
 * Compiles a module with standard decorators, which no Node runs. Undefined where the tsconfig has
 * `experimentalDecorators`: bundlers lower those themselves.
 */
export function lowerDecorators(code: string, file: string, root: string): LoweredModule | undefined {
  const { options } = openConfig(root, undefined, file).at("lean");
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
  return { code: outputText.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "\n"), map: sourceMapText };
}
