import { ToolError } from "../../base/errors.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { coerceValue } from "../../contract/validation/codecs/coerce.ts";
import { EqualItemsError } from "../../contract/validation/codecs/decode-distinct.ts";
import { equalItem } from "../../contract/validation/report/equal-item.ts";
import { reportProblems } from "../../contract/validation/report/report.ts";
import type { JsonSchema } from "../../contract/contract.ts";
import { findNotJson } from "./find-not-json.ts";

const mostShown = 10;

/**
 * Describes for the log where a result differs from its schema, for example `at /items/0/price expected number, got
 * string`, or why JSON cannot represent it. The text names kinds of values, never the values themselves; `undefined`
 * when nothing differs.
 */
function describeMismatch(schema: JsonSchema | undefined, wire: unknown): string | undefined {
  const problems = schema === undefined ? [] : reportProblems(schema, wire);
  if (problems.length === 0) return findNotJson(wire);
  const texts = problems.slice(0, mostShown).map(({ path, expected }) => {
    const place = path === "" ? "" : `at ${path} `;
    return `${place}expected ${expected}, got ${kindOf(valueAt(wire, path))}`;
  });
  const more = problems.length - texts.length;
  return `${texts.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function valueAt(wire: unknown, path: string): unknown {
  const steps = path.split("/").slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isThere ? (value as Record<string, unknown>)[key] : undefined;
  }, wire);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  // An encoder returns a symbol that describes an invalid value.
  if (typeof value === "symbol") return value.description ?? "a symbol";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

/** Functions that need schemas at run time, and code that a service loads only after a first mistake. */
export interface Explainer {
  /** Validates a request with the tool's options; throws `validation` with all problems. */
  checkRequest(tool: Tool, input: unknown): unknown;
  describeMismatch: typeof describeMismatch;
  /** Throws the problem behind an error of a decoder: list items that are equal after decoding. */
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
