import type { TypeModel } from "./type.ts";

/** A call of a job whose result is stored by name: `job.step(…)`, `job.wait<T>(…)`, `job.sleep(…)`. */
export interface KeptCall {
  readonly kind: "step" | "wait" | "sleep";
  /** Name under which the result is stored; absent for a sleep without a name. */
  readonly name?: string;
  /** True if the call has a key, so that one name can have many results. */
  readonly keyed?: true;
  readonly atMostOnce?: true;
  /** Scope that a sender of the message needs. */
  readonly scope?: string;
  /** The value may be `undefined`. */
  readonly optional?: true;
  /** Type of the value; absent when there is none. */
  readonly type?: TypeModel;
}

/** A call to which generated code adds the codec of its value. */
export interface CodedCall extends KeptCall {
  /** UTF-16 offset after the last argument of the call. */
  readonly offset: number;
  /** True if the call has no options argument, which must precede the codec. */
  readonly withoutOptions?: true;
}

/** The calls of one module whose results are stored. */
export interface KeptCalls {
  readonly calls: readonly CodedCall[];
  /** UTF-16 offset after the last statement of the module. */
  readonly end: number;
  readonly definitions: { readonly [name: string]: TypeModel };
}

/** Calls whose results a tool stores: in its own function, and in functions of its module that it calls. */
export interface KeptOfTool {
  readonly calls: readonly KeptCall[];
  readonly definitions: { readonly [name: string]: TypeModel };
}

/** `@retry`: retries of a failed job or step. */
export interface RetryModel {
  /** Number of attempts, the first one included. */
  readonly attempts: number;
  /** Milliseconds before the first retry, and maximum milliseconds before any retry. The delay is doubled each time. */
  readonly from: number;
  readonly to: number;
}
