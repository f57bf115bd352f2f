import type { Position } from "./type.ts";

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
