import { ToolError } from "../../base/errors.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { refuseObject } from "../../contract/validation/codecs/codecs.ts";
import { coerceValue } from "../../contract/validation/codecs/coerce.ts";
import { EqualItemsError } from "../../contract/validation/codecs/decode-distinct.ts";
import { escapeStep } from "../../contract/validation/report/problem.ts";
import { equalItem } from "../../contract/validation/report/equal-item.ts";
import { reportProblems } from "../../contract/validation/report/report.ts";
import type { JsonSchema } from "../../contract/contract.ts";
import { isJson, maxDepth } from "./is-json.ts";

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

/** Functions that need schemas at run time. Their code is loaded on first use, or soon after the start. */
export interface Explainer {
  /** Validates a request with the tool's options; throws `validation` with all problems. */
  checkRequest(tool: Tool, input: unknown): unknown;
  describeMismatch: typeof describeMismatch;
  /**
   * Throws `validation` if the decoder failed because items of a list of unique items are equal after decoding. Throws
   * any other error unchanged.
   */
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
    const problems = reportProblems(schema, wire, { strict: options.strict === true, isLegal: legal });
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

/** Explains why JSON cannot hold a value, for example `NaN at /scores/3`; undefined when it can. */
function findNotJson(value: unknown): string | undefined {
  return value === undefined || isJson(value) ? undefined : explain(value, "", 0, []);
}

function explain(value: unknown, path: string, depth: number, parents: readonly object[]): string {
  const at = path === "" ? "" : ` at ${path}`;
  if (typeof value === "number") return `${value}${at} is not a JSON number`;
  if (typeof value !== "object" || value === null) return `JSON cannot hold ${typeof value}${at}`;
  if (parents.includes(value)) return `a cycle${at}`;
  if (depth >= maxDepth) return `more than ${maxDepth} levels of nesting`;
  if ("toJSON" in value && typeof value.toJSON === "function") return `the value${at} gives no JSON of itself`;
  const refused = Array.isArray(value) ? undefined : refuseObject(value);
  if (refused !== undefined) return `${refused.description}${at}`;
  const entries: [string, unknown][] = Array.isArray(value)
    ? Array.from(value, (item, index) => [String(index), item])
    : Object.entries(value).filter(([, item]) => item !== undefined);
  for (const [key, item] of entries) {
    const below = isJson(item, depth + 1);
    if (below) continue;
    return explain(item, `${path}/${escapeStep(key)}`, depth + 1, [...parents, value]);
  }
  return `JSON cannot hold the value${at}`;
}
