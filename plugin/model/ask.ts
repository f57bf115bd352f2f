import type { ObjectType, TypeModel } from "./type.ts";

/** A call `job.ask<T>(…)`, to which generated code adds the form of `T`. */
export interface AskModel {
  /** UTF-16 offset after the last argument of the call. */
  readonly offset: number;
  /** The call has an options argument. */
  readonly hasOptions?: true;
  /** Type of the form. */
  readonly type: ObjectType;
  /** True if `T` is a single value; the form then has it as the field `answer`. */
  readonly single?: true;
  readonly definitions: { readonly [name: string]: TypeModel };
}
