/** Build time: compile the tools of a service without a bundler, and what the plugin for every bundler takes. */
export { compileProject, type CompiledProject, type CompileRequest } from "./compile/compile-project.ts";
export { defineConfig, readConfig, type TenonConfig } from "./compile/config.ts";
export type { CompiledTool } from "./compile/compiled-module.ts";
export type { Diagnostic } from "./diagnostics/diagnostic.ts";
export { gatherByFile } from "./diagnostics/gather.ts";
export { formatReport, type FormatOptions } from "./diagnostics/format.ts";
export { OptionsError, type RuleLevel, type TenonOptions } from "./compile/options.ts";
export { describeTool } from "../runtime/contract/definition/mcp-descriptor.ts";
export type { ServiceFile } from "./compile/service-file.ts";
