import type { JsonValue } from "../../runtime/contract/contract.ts";

/** In the order of their weight. The first and the third fail a check. */
export const severities = ["breaking", "behaviour", "safety", "additive", "wording"] as const;

/**
 * `breaking`: a caller's call fails or gives what it never gave. `behaviour`: calls go on and may do something else.
 * `safety`: who may call, or what hosts tell people of a tool. `additive`: more is possible than before. `wording`:
 * texts that agents read.
 */
export type Severity = (typeof severities)[number];

/** Proves a finding: what one contract accepts and the other refuses. */
export interface Witness {
  /** A wire value; for findings about a whole tool, a call of it. */
  readonly value: JsonValue;
  /** The problem that the refusing contract has with it. */
  readonly problem: string;
}

/** One difference between two contracts. */
export interface Finding {
  readonly severity: Severity;
  /** Name of a tool, prompt or resource; `service` for the service as a whole. */
  readonly tool: string;
  /** `request` or `result` with a pointer to the part (`*` for any element or key), or the name of another fact. */
  readonly place: string;
  readonly rule: string;
  readonly message: string;
  /** Every breaking finding has one. */
  readonly witness?: Witness;
  /** A text to do something about it. */
  readonly fix?: string;
  /** Unchanged schema URNs of the models that the place is in, outermost first. */
  readonly urns?: readonly string[];
}
