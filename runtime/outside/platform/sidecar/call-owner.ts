import type { PlatformAttempt } from "../../../job/job.ts";

/** The job that a call belongs to. */
export interface CallOwner {
  /** The job's token, verbatim. */
  readonly authorization?: string | undefined;
  readonly attempt?: PlatformAttempt | undefined;
}

const legalValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Makes the headers of every call about a job: its token and its attempt. */
export function ownHeaders({ authorization, attempt }: CallOwner): Record<string, string> {
  const headers: Record<string, string> = { ...attempt?.headers };
  if (authorization !== undefined && legalValue.test(authorization)) headers["Authorization"] = authorization;
  return headers;
}
