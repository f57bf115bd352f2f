/** A variable of the environment that author code reads. */
export interface Variable {
  readonly name: string;
  readonly kind: "text" | "number" | "boolean";
  /** The comment at the place that reads it. */
  readonly description?: string;
  /** Used when it is not set. */
  readonly fallback?: string;
  /** The code takes for granted that it is set: `process.env.NAME!`. */
  readonly isRequired: boolean;
}

/** The variables of a service, and the places whose variables cannot be known. */
export interface Variables {
  /** By name. */
  readonly named: readonly Variable[];
  /** `file:line` where `process.env` is read by a name that is not written there, or as a whole. */
  readonly unnamed: readonly string[];
}
