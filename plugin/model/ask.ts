import type { ObjectType, TypeModel } from "./type.ts";

/** A call `job.ask<T>(…)`, to which the form of `T` is added. */
export interface AskModel {
  /** UTF-16 offset behind its last argument. */
  readonly offset: number;
  /** The call gives options, too. */
  readonly hasOptions?: true;
  /** The form. */
  readonly type: ObjectType;
  /** `T` is a single value, which is the field `answer` of the form. */
  readonly single?: true;
  readonly definitions: { readonly [name: string]: TypeModel };
}
