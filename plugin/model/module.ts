import type { AskModel } from "./ask.ts";
import type { KeptCalls } from "./kept.ts";
import type { SchemaDecoratorModel } from "./schema-decorator.ts";
import type { ServiceModel, StartModel } from "./service.ts";
import type { ToolModel } from "./tool.ts";

/** The model of one source file. */
export interface ModuleModel {
  /** Relative to the project, forward slashes. */
  readonly file: string;
  readonly tools: readonly ToolModel[];
  /** Present when the file constructs the `Service`. */
  readonly service?: ServiceModel;
  /** Present when the file starts a service. */
  readonly start?: StartModel;
  /** Calls of `job.ask<T>`, in source order. */
  readonly asks?: readonly AskModel[];
  /** Calls of `job.step` and `job.wait<T>`, in source order. */
  readonly kept?: KeptCalls;
  /** Decorators `@withSchema("…")`, in source order. */
  readonly schemaDecorators?: readonly SchemaDecoratorModel[];
  /** The file calls `runMcpStdio` itself, so standard output must be guarded without a flag. */
  readonly stdio?: true;
}
