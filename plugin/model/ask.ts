import type { ObjectType, TypeModel } from "./type.ts";

/** A call `job.ask<T>(…)`, to which generated code adds the form of `T`. */
export interface AskModel {
  /** UTF-16 offset after its last argument. */
  readonly offset: number;
  /** The call has an options argument. */
  readonly hasOptions?: true;
  /** The form. */
  readonly type: ObjectType;
  /** True if `T` is a single value, which the form has as the field `answer`. */
  readonly single?: true;
  readonly definitions: { readonly [name: string]: TypeModel };
}
