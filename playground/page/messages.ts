import type { Compiled } from "../compiler/open-playground.ts";
import type { LogLine } from "../frame/node/logging.ts";

/** A source for the compiler's worker. */
export interface ToCompiler {
  readonly id: number;
  readonly source: string;
}

/** Answer of the compiler's worker. */
export type FromCompiler =
  | {
      readonly id: number;
      readonly compiled: Compiled;
      /** Milliseconds. */
      readonly took: number;
    }
  | { readonly id: number; readonly failure: string };

/** A call for the sandboxed frame. */
export interface FrameCall {
  /** The visitor's module as a CommonJS module. */
  readonly script: string;
  /** Name of the tool. */
  readonly name: string;
  /** Request as JSON text. */
  readonly body: string;
  /** Bare id of the job. */
  readonly jobId: string;
}

/** Its outcome: an answer as over REST, or the reason why there is none. */
export type FrameAnswer =
  | {
      readonly status: number;
      readonly type: string;
      readonly body: string | Uint8Array<ArrayBuffer>;
      /** Bodies of the job's events. */
      readonly events?: readonly unknown[];
      readonly logs: readonly LogLine[];
    }
  | { readonly failure: string; readonly events?: readonly unknown[]; readonly logs: readonly LogLine[] };
