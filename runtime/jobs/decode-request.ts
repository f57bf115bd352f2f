import { ToolError } from "../errors.ts";
import type { Tool } from "../tool.ts";
import { coerceValue } from "../validation/coerce.ts";
import { reportProblems } from "../validation/report.ts";

/** The request as the author's function takes it; throws `validation` with every problem that it has. */
export function decodeRequest(tool: Tool, input: unknown): unknown {
  const { definition, functions, options } = tool;
  if (definition.request === undefined) return undefined;
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
  return functions.decodeRequest === undefined ? wire : functions.decodeRequest(wire as never);
}
