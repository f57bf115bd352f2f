import { CallError } from "./call-error.ts";

/** The error for a job that was there and is not found any more. */
export function lostJob(id: string, cause?: CallError): CallError {
  const message = `The service does not know job ${id} any more: it restarted without a lasting store, or dropped it.`;
  return new CallError("lost", message, { jobId: id, status: cause?.status, cause });
}

/**
 * The error for a name that no tool has.
 *
 * @param hint Begins with a space, where there is one.
 */
export function unknownTool(owner: string, name: string, known: Iterable<string>, hint = ""): CallError {
  const names = [...known].join(", ");
  return new CallError("not-found", `${owner} has no tool ${JSON.stringify(name)}.${hint} Its tools: ${names}`);
}
