import type { StoredOutcome } from "./job-store.ts";

/** Maximum number of stored events of a job; the latest are retained. */
export const maxEvents = 1000;

/** Maximum bytes of a job's questions, and of the answers that arrived at other processes. */
export const maxTalkBytes = 1024 * 1024;

/** Outcome of a job whose last attempt has lost its worker. */
export const interruptedOutcome = {
  state: "error",
  error: { kind: "interrupted", message: "The job was interrupted: its worker stopped answering." },
} as const satisfies StoredOutcome;

/** Number of attempts of a job that may run again. */
export const maxAttempts = 3;

/** End of a wait without a time limit, in milliseconds since 1970. */
export const never = 8_640_000_000_000_000;
