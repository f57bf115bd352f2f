import { ToolError } from "../../base/errors.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { coerceValue } from "../../contract/validation/codecs/coerce.ts";
import { reportProblems } from "../../contract/validation/report/report.ts";
import { describeMismatch } from "./describe-mismatch.ts";

/** What needs a schema at run time, and with it code that a service does not need before somebody makes a mistake. */
export interface Explainer {
  /** The request as the tool's options read it; throws `validation` with every problem that it has. */
  checkRequest(tool: Tool, input: unknown): unknown;
  describeMismatch: typeof describeMismatch;
}

export const explainer: Explainer = { checkRequest, describeMismatch };

function checkRequest({ definition, functions, options }: Tool, input: unknown): unknown {
  if (definition.request === undefined) return input;
  const { schema } = definition.request;
  const wire = options.coerce === true ? coerceValue(schema, input) : input;
  const legal = functions.isRequest === undefined || functions.isRequest(wire);
  // Whether unknown keys are refused is no part of the compiled check, so a strict tool asks the interpreter each time.
  if (!legal || options.strict === true) {
    const problems = reportProblems(schema, wire, { strict: options.strict === true });
    if (!legal || problems.length > 0) {
      throw new ToolError("validation", "The request does not match its schema.", { problems });
    }
  }
  return wire;
}
