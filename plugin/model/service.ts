import type { Position } from "./type.ts";

/** Maximum bytes of a service's instructions; hosts cut the rest. */
export const longestInstructions = 2048;

/** Constants that the entry passes to `new Service({…})`. */
export interface ServiceModel {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly instructions?: string;
  readonly contact?: { readonly name: string; readonly email: string; readonly url?: string };
  readonly license?: { readonly name: string; readonly url?: string };
  readonly position: Position;
}

/** The parts of a module's start calls that affect the service definition. */
export interface StartModel {
  readonly flavour: "lambda" | "batch";
  /** Constant `port` of `startLambdaServer`. */
  readonly port?: number;
  /** Second argument of `startBatchService`; absent without one. */
  readonly worker?: WorkerModel;
  readonly position: Position;
}

/** The worker of a batch service. */
export interface WorkerModel {
  /** The function to which the argument refers: its module, relative to the project, and its name there. */
  readonly declared?: { readonly file: string; readonly binding: string };
  readonly position: Position;
}

/** A variable of the environment that author code reads. */
export interface Variable {
  readonly name: string;
  readonly kind: "text" | "number" | "boolean";
  /** The comment at the position where it is read. */
  readonly description?: string;
  /** Value that is used when the variable is not set. */
  readonly fallback?: string;
  /** True if the code assumes that the variable is set: `process.env.NAME!`. */
  readonly isRequired: boolean;
}

/** The variables of a service, and the positions at which the names of variables are unknown. */
export interface Variables {
  /** Variables whose names are known, sorted by name. */
  readonly named: readonly Variable[];
  /** Positions `file:line` where `process.env` is read by a computed name, or as a whole. */
  readonly unnamed: readonly string[];
}
