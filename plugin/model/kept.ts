import type { TypeModel } from "./type.ts";

/** A call of a job whose result is stored by name: `job.step(…)`, `job.wait<T>(…)`, `job.sleep(…)`. */
export interface KeptCall {
  readonly kind: "step" | "wait" | "sleep";
  /** Absent for a sleep without a name. */
  readonly name?: string;
  /** True if it has a key, so that one name has many results. */
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
  /** UTF-16 offset after its last argument. */
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

/** The calls whose results a tool stores: in its function, and in functions of its module that it calls. */
export interface KeptOfTool {
  readonly calls: readonly KeptCall[];
  readonly definitions: { readonly [name: string]: TypeModel };
}

/** `@retry`: retries of a failed job or step. */
export interface RetryModel {
  /** Number of tries, the first one included. */
  readonly attempts: number;
  /** Milliseconds before the first retry, and at most before any; doubled each time. */
  readonly from: number;
  readonly to: number;
}
