import type { BinaryResult, JobContext } from "tenon";

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A file. */
  file: BinaryResult;
  /** The job. */
  jobs: JobContext[];
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
