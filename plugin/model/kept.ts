import type { TypeModel } from "./type.ts";

/** A call of a job whose end is kept by name: `job.step(…)`, `job.wait<T>(…)`, `job.sleep(…)`. */
export interface KeptCall {
  readonly kind: "step" | "wait" | "sleep";
  /** Absent for a sleep without a name. */
  readonly name?: string;
  /** It has a key, so that one name stands for many. */
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
  /** The call has no options argument, and they stand before the codec. */
  readonly withoutOptions?: true;
}

/** The kept calls of one module. */
export interface KeptCalls {
  readonly calls: readonly CodedCall[];
  /** UTF-16 offset after the last statement of the module. */
  readonly end: number;
  readonly definitions: { readonly [name: string]: TypeModel };
}

/** Calls of a tool that keep: those in its function, and in functions of its module that it calls. */
export interface KeptOfTool {
  readonly calls: readonly KeptCall[];
  readonly definitions: { readonly [name: string]: TypeModel };
}

/** `@retry`: a failed job, or step, is tried again. */
export interface RetryModel {
  /** Number of tries, the first one included. */
  readonly attempts: number;
  /** Milliseconds before the second try, and the most before any; doubled from one to the next. */
  readonly from: number;
  readonly to: number;
}
