import type { PlatformAttempt } from "../../../job/job.ts";

/** Whose call it is. */
export interface CallOwner {
  /** The job's token, verbatim. */
  readonly authorization?: string | undefined;
  readonly attempt?: PlatformAttempt | undefined;
}

const legalValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers that every call about a job carries: its own token, and the attempt that it belongs to. */
export function ownHeaders({ authorization, attempt }: CallOwner): Record<string, string> {
  const headers: Record<string, string> = { ...attempt?.headers };
  if (authorization !== undefined && legalValue.test(authorization)) headers["Authorization"] = authorization;
  return headers;
}
