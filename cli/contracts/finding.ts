import type { JsonObject, JsonValue } from "../../runtime/contract/contract.ts";

/** Severities in decreasing order. `breaking` and `safety` fail a check. */
export const severities = ["breaking", "behaviour", "safety", "additive", "wording"] as const;

/**
 * Severity of a finding. `breaking`: a caller's call fails, or returns a value that it never returned before.
 * `behaviour`: calls still succeed, but may do something else. `safety`: a change of who may call a tool, or of what
 * hosts show people about it. `additive`: more is possible than before. `wording`: texts that agents read.
 */
export type Severity = (typeof severities)[number];

/** Proof of a finding: a value that one contract accepts and the other refuses. */
export interface Witness {
  /** A wire value; for findings about a whole tool, a call of it. */
  readonly value: JsonValue;
  /** Problem that the refusing contract reports for the value. */
  readonly problem: string;
}

/** One difference between two contracts. */
export interface Finding {
  readonly severity: Severity;
  /** Name of a tool, prompt or resource; `service` for the service as a whole. */
  readonly tool: string;
  /**
   * `request` or `result` with a pointer to the part (`*` for any element or key), or the name of another property of
   * the tool.
   */
  readonly place: string;
  readonly rule: string;
  readonly message: string;
  /** Proof of the finding; set for every breaking finding. */
  readonly witness?: Witness;
  /** A text that fixes the finding. */
  readonly fix?: string;
  /** Unchanged schema URNs of the models that contain the place, outermost first. */
  readonly urns?: readonly string[];
}

/**
 * A change of a tool's property. For a breaking change, it describes how a call that was answered before is now
 * refused.
 */
export interface FactChange {
  readonly severity: Severity;
  readonly rule: string;
  readonly message: string;
  readonly problem?: string;
  /** Parts of the refused call in addition to a valid request. */
  readonly extra?: JsonObject;
}
