import type { JsonSchema, Problem } from "../../../runtime/contract/contract.ts";
import { hasNoProblem, reportProblems } from "../../../runtime/contract/validation/report/report.ts";
import { asFullSchema, type FullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import { type Atom, atomsOf } from "./atoms.ts";
import { plainForm } from "./plain-form.ts";

/** A schema of one of the two contracts, with the validator that tenon makes from it. */
export interface Side {
  readonly root: FullSchema;
  /** Alternatives of a part of the schema. For equal parts, the same objects are returned. */
  atoms(schema: FullSchema): readonly Atom[];
  /** Validates a value against a part of the schema. `strict`: undeclared keys are refused as well. */
  accepts(schema: FullSchema, value: unknown, strict?: boolean): boolean;
  /** Problems of a value when it is validated against the whole schema. */
  problems(value: unknown): readonly Problem[];
}

/** Prepares a schema for comparison. */
export function openSide(given: JsonSchema): Side {
  const root = asFullSchema(plainForm(given) as JsonSchema);
  const atoms = new Map<FullSchema, readonly Atom[]>();
  const parts = new Map<FullSchema, JsonSchema>([[root, root as JsonSchema]]);
  const partOf = (schema: FullSchema): JsonSchema => {
    let part = parts.get(schema);
    if (part === undefined) {
      part = { ...schema, ...(root.$defs && { $defs: root.$defs }) } as JsonSchema;
      parts.set(schema, part);
    }
    return part;
  };
  return {
    root,
    atoms(schema) {
      let known = atoms.get(schema);
      if (known === undefined) {
        known = atomsOf(schema, root);
        atoms.set(schema, known);
      }
      return known;
    },
    accepts: (schema, value, strict = false) => hasNoProblem(partOf(schema), value, { strict }),
    problems: (value) => reportProblems(root as JsonSchema, value),
  };
}
