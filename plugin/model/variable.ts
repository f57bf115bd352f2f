/** A variable of the environment that author code reads. */
export interface Variable {
  readonly name: string;
  readonly kind: "text" | "number" | "boolean";
  /** The comment at the position where it is read. */
  readonly description?: string;
  /** Value that is used when the variable is not set. */
  readonly fallback?: string;
  /** True if the code assumes that the variable is set: `process.env.NAME!`. */
  readonly isRequired: boolean;
}

/** The variables of a service, and the positions at which the names of variables are unknown. */
export interface Variables {
  /** Variables whose names are known, sorted by name. */
  readonly named: readonly Variable[];
  /** Positions `file:line` where `process.env` is read by a computed name, or as a whole. */
  readonly unnamed: readonly string[];
}
