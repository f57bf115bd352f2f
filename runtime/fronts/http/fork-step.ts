import { ToolError } from "../../base/errors.ts";
import { isObject } from "../../contract/validation/json-value.ts";
import { parseJsonBody } from "./parse-json.ts";

/**
 * Reads from the body the step from which a job runs again: `{"from": "ship[2]"}`. With `{}`, or without a body, all
 * stored steps are reused.
 */
export function forkStep(body: Buffer): string | undefined {
  if (body.length === 0) return undefined;
  const given = parseJsonBody(body);
  // Another name is refused, since a mistyped `from` would reuse results that the caller wants to be made again.
  if (isObject(given) && Object.keys(given).every((name) => name === "from")) {
    const { from } = given;
    if (from === undefined || (typeof from === "string" && from !== "")) return from;
  }
  throw new ToolError("bad-request", 'The body must be {"from": "STEP"}, {}, or empty.');
}
