import type { KeptCalls } from "./kept.ts";
import type { ServiceModel, StartModel } from "./service.ts";
import type { ToolModel } from "./tool.ts";
import type { ObjectType, TypeModel } from "./type.ts";

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

/** A call `job.ask<T>(…)`, to which generated code adds the form of `T`. */
export interface AskModel {
  /** UTF-16 offset after the last argument of the call. */
  readonly offset: number;
  /** The call has an options argument. */
  readonly hasOptions?: true;
  /** `T` as an object, whose fields the client shows as a form. */
  readonly type: ObjectType;
  /** True if `T` is a single value; the form then has it as the field `answer`. */
  readonly single?: true;
  readonly definitions: { readonly [name: string]: TypeModel };
}

/** A decorator `@withSchema("…")` on a class. Offsets are UTF-16 units from the start of the source. */
export interface SchemaDecoratorModel {
  readonly start: number;
  readonly end: number;
  /** Offset after the brace that opens the body of the class. */
  readonly body: number;
}
