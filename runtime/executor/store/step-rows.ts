import type { StepState, StepWrite, StoredMessage, StoredStep } from "../../job/steps/kept-step.ts";

/** States of a step; the index is the number that is stored. */
const stepStates: readonly StepState[] = ["running", "done", "failed"];

export interface StepRow {
  readonly key: string;
  readonly state: number;
  readonly attempt: number;
  readonly tries: number;
  readonly fingerprint: string;
  readonly value: string | null;
  readonly error: string | null;
  /** Milliseconds until the step resumes. */
  readonly remaining: number | null;
  readonly started: number;
  readonly ended: number | null;
}

/** The columns of a step, apart from times: key, state, tries, fingerprint, value, error. */
export function stepColumns({ key, state, tries, fingerprint, value, error }: StepWrite): StepColumns {
  return [
    key,
    stepStates.indexOf(state),
    tries,
    fingerprint,
    value ?? null,
    error === undefined ? null : JSON.stringify(error),
  ];
}

export type StepColumns = readonly [string, number, number, string, string | null, string | null];

export function toStoredStep({ key, state, attempt, tries, fingerprint, ...row }: StepRow): StoredStep {
  return {
    key,
    state: stepStates[state] ?? "running",
    attempt,
    tries,
    fingerprint,
    startedAt: row.started,
    ...(row.value !== null && { value: row.value }),
    ...(row.error !== null && { error: toFailure(row.error) }),
    ...(row.remaining !== null && { left: row.remaining }),
    ...(row.ended !== null && { endedAt: row.ended }),
  };
}

/** The column may have other content, which another program has written. */
function toFailure(text: string): NonNullable<StoredStep["error"]> {
  try {
    const { kind, message, type } = JSON.parse(text) as NonNullable<StoredStep["error"]>;
    return { kind, message, ...(type !== undefined && { type }) };
  } catch {
    return { kind: "system", message: text };
  }
}

export interface MessageRow {
  readonly name: string;
  readonly body: string;
  readonly once: string | null;
  readonly sender: string | null;
  readonly sent: number;
}

export function toStoredMessage({ name, body, once, sender, sent }: MessageRow): StoredMessage {
  return {
    name,
    body,
    sentAt: sent,
    ...(once !== null && { once }),
    ...(sender !== null && { sender }),
  };
}
