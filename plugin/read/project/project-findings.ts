import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ConfigSource } from "./compiler-config.ts";
import { checkRules } from "./project-settings.ts";
import type { ModuleModel } from "../../model/module.ts";
import { relativeFile } from "../base/relative-file.ts";

interface Unreadable {
  readonly module: ModuleModel;
  readonly diagnostics: readonly Diagnostic[];
  readonly dependencies: readonly string[];
  readonly tags: readonly [];
}

/** The reading of a module that cannot be read. */
export function unreadable(root: string, path: string, code: "TN116" | "TN118", message: string): Unreadable {
  const file = relativeFile(root, path);
  const fix =
    code === "TN116" ? { fix: "break the chain of imports, or give parts of the type names of their own" } : {};
  return {
    module: { file, tools: [] },
    diagnostics: [{ code, level: "error", message, ...fix, file }],
    dependencies: [path],
    tags: [],
  };
}

/** Findings about the project as a whole. Every reading contains these, but a report shows each only once. */
export function projectDiagnostics(
  root: string,
  config: ConfigSource | undefined,
  rules: Readonly<Record<string, string>>,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [...checkRules(rules)];
  if (config?.problem !== undefined) {
    const file = relativeFile(root, config.problem.file);
    found.push({
      code: "TN405",
      level: "error",
      message: `The tsconfig \`${file}\` cannot be used: ${config.problem.message}`,
      fix: "correct it, or name another one with the option `tsconfig`",
      file,
    });
  }
  return found;
}
