import type { Parking, StepWrite, StoredMessage, StoredStep } from "../../job/steps/kept-step.ts";
import type { SentError } from "./sent-error.ts";

/** Calls by which a thread uses the step record of its job; calls with an id are answered. */
export type BookCall =
  | { readonly call: "open"; readonly id: string }
  | { readonly call: "keep"; readonly id: string; readonly step: StepWrite }
  | { readonly call: "left"; readonly id: string; readonly key: string }
  /** Requests the first message of a name; answered now or when the message arrives. */
  | { readonly call: "message"; readonly name: string }
  | { readonly call: "park"; readonly parking: Parking }
  | { readonly call: "stop"; readonly error: SentError };

/** Answers that are sent to the thread. */
export type BookAnswer =
  | { readonly answer: "opened"; readonly id: string; readonly steps: readonly StoredStep[]; readonly parks: boolean }
  | { readonly answer: "kept"; readonly id: string; readonly step: StoredStep | undefined }
  | { readonly answer: "left"; readonly id: string; readonly left: number }
  | { readonly answer: "failed"; readonly id: string; readonly error: SentError; readonly isStale: boolean }
  | { readonly answer: "message"; readonly message: StoredMessage };
