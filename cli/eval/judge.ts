import type { JsonObject, JsonSchema, JsonValue, ToolDefinition } from "../../runtime/contract/contract.ts";
import { canonicalJson, isObject } from "../../runtime/contract/validation/json-value.ts";
import { reportProblems } from "../../runtime/contract/validation/report/report.ts";
import type { Answer, Question, Run } from "./facts.ts";

/** Judges an answer by the tool's full schema, which accepts exactly what its compiled validator accepts. */
export function judge(question: Question, answer: Answer, tools: ReadonlyMap<string, ToolDefinition>): Run {
  const { picked } = answer;
  if (question.request === undefined) return { ...answer, outcome: picked === undefined ? "right" : "needless-call" };
  if (picked === undefined) return { ...answer, outcome: "no-call" };
  if (picked !== question.tool) return { ...answer, outcome: "other-tool" };
  const schema = tools.get(picked)?.request?.schema ?? { type: "object", properties: {} };
  const given = parse(answer.arguments ?? "");
  if (given === undefined) return { ...answer, outcome: "refused", problems: ["the arguments are not JSON"] };
  const problems = reportProblems(schema, given).map(({ path, message }) => `${path === "" ? "/" : path}: ${message}`);
  if (problems.length > 0) return { ...answer, outcome: "refused", problems };
  const isSame = canonicalJson(completed(schema, given)) === canonicalJson(completed(schema, question.request));
  return { ...answer, outcome: isSame ? "right" : "other-values" };
}

/** Fills in the defaults of a request's fields, because a model may write defaults or omit them. */
function completed(schema: JsonSchema, request: JsonValue): JsonValue {
  const properties = schema["properties"];
  if (!isObject(request) || !isObject(properties)) return request;
  const { $schema: _urn, ...fields } = request as JsonObject;
  const defaults = Object.entries(properties as JsonObject).flatMap(([key, field]) =>
    isObject(field) && field["default"] !== undefined ? [[key, field["default"] as JsonValue] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...fields };
}

function parse(text: string): JsonValue | undefined {
  try {
    // An empty text counts as an empty object, since models may write nothing for a call without arguments.
    return text.trim() === "" ? {} : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}
