import type { JobContext } from "tenon";

/** Says who calls.
 * @tool */
export function whoCalls(job: JobContext): {
  /** User. */ subject: string;
  /** Scopes. */ scopes: string[];
  /** Application. */ client: string;
} {
  const { subject = "nobody", scopes = [], client = "none" } = job.caller ?? {};
  return { subject, scopes: [...scopes], client };
}

/** Writes a note.
 * @tool
 * @scope notes:write */
export function writeNote(): string {
  return "written";
}

/** Prints its job.
 * @tool */
export function printJob(job: JobContext): string {
  return JSON.stringify(job);
}
