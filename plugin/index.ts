/** Build time: compiles the tools of a service without a bundler, and exports options of the plugin. */
export { compileProject } from "./compile/session.ts";
export { type CompiledProject, type CompileRequest, openSession, type Session } from "./compile/session.ts";
export { defineConfig, existingEntry, readConfig, type TenonConfig } from "./compile/config.ts";
export type { CompiledModule, CompiledTool } from "./compile/compiled-module.ts";
export type { Diagnostic, Edit } from "./diagnostics/diagnostic.ts";
export { gatherByFile } from "./diagnostics/gather.ts";
export { formatReport, type FormatOptions } from "./diagnostics/format.ts";
export { OptionsError, type RuleLevel, type TenonOptions } from "./compile/options.ts";
export { stableJson } from "../runtime/contract/definition/stable-json.ts";
export { listableTools, toolSearchDescriptors } from "../runtime/contract/definition/tool-search.ts";
export { longestInstructions, type Variable } from "./model/service.ts";
export { toolTokens } from "./texts/over-budget.ts";
export { estimateTokens } from "../runtime/contract/definition/estimate-tokens.ts";
export { toolPath } from "../runtime/contract/definition/tool-path.ts";
export { describeTool } from "../runtime/contract/definition/mcp-descriptor.ts";
export { serviceVariables } from "./compile/service-variables.ts";
export { adoptedPrefix, resultsModule } from "./model/adopted.ts";
export type { Adopted, AdoptedImport, AdoptedModule, AdoptedTool, OpenLine } from "./model/adopted.ts";
export type { ServiceFile } from "./compile/outcome/service-file.ts";

/** Functions that load modules with the compiler on demand, since most commands never need the compiler. */
export const compilerReaders = {
  clockChanges: () => import("../runtime/contract/clock-changes.ts"),
  firings: () => import("../runtime/contract/firing-times.ts"),
  declarations: () => import("./read/project/declarations.ts"),
  foreign: () => import("./adopt/read-foreign.ts"),
  ownTsconfig: () => import("./read/project/own-tsconfig.ts"),
} as const;
