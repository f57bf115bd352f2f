import { ToolError } from "../../base/errors.ts";
import { parseJsonBody } from "./parse-json.ts";

/**
 * Reads from the body the step from which a job runs again: `{"from": "ship[2]"}`. Without a body, all stored steps are
 * reused.
 */
export function forkStep(body: Buffer): string | undefined {
  if (body.length === 0) return undefined;
  const given = parseJsonBody(body);
  const from = typeof given === "object" && given !== null && "from" in given ? given.from : undefined;
  if (typeof from === "string" && from !== "") return from;
  throw new ToolError("bad-request", 'The body must be {"from": "STEP"}, or empty.');
}
