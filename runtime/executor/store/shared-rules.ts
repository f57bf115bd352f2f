import type { StoredOutcome } from "./job-store.ts";

/** Number of events that a store keeps of a job: the last ones. */
export const maxEvents = 1000;

/** Bytes of what a job asks, and of the answers that came elsewhere. */
export const maxTalkBytes = 1024 * 1024;

/** Outcome of a job whose last attempt lost its worker. */
export const interruptedOutcome = {
  state: "error",
  error: { kind: "interrupted", message: "The job was interrupted: its worker stopped answering." },
} as const satisfies StoredOutcome;

/** Attempts that a job which may run again can lose. */
export const maxAttempts = 3;

/** The end of a wait without a time, in milliseconds since 1970. */
export const never = 8_640_000_000_000_000;
