import type { ToolDefinition } from "../../runtime/contract/contract.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Insertion } from "../emit/insert-tools.ts";
import type { ModuleModel } from "../model/module.ts";
import type { ToolModel } from "../model/tool.ts";

/** The compiled form of one source file; plain data. */
export interface CompiledModule {
  /** Absolute. */
  readonly file: string;
  readonly model: ModuleModel;
  /** Set if the module calls `runMcpStdio` itself; see {@link ModuleModel.stdio}. */
  readonly stdio?: true;
  /** Set if the module constructs the service. Like `stdio`, it is known without reading the model from the cache. */
  readonly hasService?: true;
  /** Text to add to the module; empty for a module without tools, or with an error. */
  readonly insertions: readonly Insertion[];
  readonly tools: readonly CompiledTool[];
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of the other files whose types affected the result. */
  readonly dependencies: readonly string[];
}

/** One tool at each stage. */
export interface CompiledTool {
  readonly model: ToolModel;
  /** Definition of the tool for agents and the platform. */
  readonly definition: ToolDefinition;
  /** Generated code of the tool in its module. */
  readonly code: string;
}
