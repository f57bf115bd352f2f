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

/** A module's start calls, as far as the service definition depends on them. */
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
  /** The function that the argument names: its module, relative to the project, and its name there. */
  readonly declared?: { readonly file: string; readonly binding: string };
  readonly position: Position;
}
