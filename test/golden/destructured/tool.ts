import type { JobContext } from "tenon";

/** @schema urn:example:schema.destructured.1 */
export interface Request {
  number: number;
  mode?: "fast" | "exact";
  since?: Date;
  nested?: { a: number };
}

const standard = "exact";

/** Has defaults. @tool */
export async function take({ number, mode = standard, since = new Date(), nested: { a } = { a: 1 } }: Request, { signal }: JobContext): Promise<number> {
  return signal.aborted ? number : a + since.getTime() + mode.length;
}

/** Takes it last. @tool */
export function last(job: JobContext, request?: Request): void {
  void job;
  void request;
}
