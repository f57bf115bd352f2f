import { CallError } from "./call-error.ts";

/** The error for a job that was there and is not found any more. */
export function lostJob(id: string, cause?: CallError): CallError {
  const message = `The service does not know job ${id} any more: it restarted without a lasting store, or dropped it.`;
  return new CallError("lost", message, { jobId: id, status: cause?.status, cause });
}
