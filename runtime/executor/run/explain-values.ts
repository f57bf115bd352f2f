import { ToolError } from "../../base/errors.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { coerceValue } from "../../contract/validation/codecs/coerce.ts";
import { EqualItemsError } from "../../contract/validation/codecs/decode-distinct.ts";
import { equalItem } from "../../contract/validation/report/equal-item.ts";
import { reportProblems } from "../../contract/validation/report/report.ts";
import { describeMismatch } from "./describe-mismatch.ts";

/** Functions that need schemas at run time, and code that a service loads only after a first mistake. */
export interface Explainer {
  /** Validates a request with the tool's options; throws `validation` with all problems. */
  checkRequest(tool: Tool, input: unknown): unknown;
  describeMismatch: typeof describeMismatch;
  /** Throws the problem behind what a decoder has thrown: items of a list that are equal once they are read. */
  refuseDecoding(thrown: unknown, wire: unknown): never;
}

export const explainer: Explainer = { checkRequest, describeMismatch, refuseDecoding };

function checkRequest({ definition, functions, options }: Tool, input: unknown): unknown {
  if (definition.request === undefined) return input;
  const { schema } = definition.request;
  const wire = options.coerce === true ? coerceValue(schema, input) : input;
  const legal = functions.isRequest === undefined || functions.isRequest(wire);
  // The compiled check accepts unknown keys, so a strict tool also uses the interpreter for every request.
  if (!legal || options.strict === true) {
    const problems = reportProblems(schema, wire, { strict: options.strict === true });
    if (!legal || problems.length > 0) {
      throw new ToolError("validation", "The request does not match its schema.", { problems });
    }
  }
  return wire;
}

function refuseDecoding(thrown: unknown, wire: unknown): never {
  if (!(thrown instanceof EqualItemsError)) throw thrown;
  throw new ToolError("validation", "The request does not match its schema.", { problems: [equalItem(thrown, wire)] });
}
