import type { ModelReport, Question, QuestionReport, Rate, Run, ToolReport, Answer } from "./facts.ts";
import type { JsonObject, JsonSchema, JsonValue, ToolDefinition } from "../../runtime/contract/contract.ts";
import { canonicalJson, isObject } from "../../runtime/contract/validation/json-value.ts";
import { reportProblems } from "../../runtime/contract/validation/report/report.ts";

/** Standard deviations of a 95 % interval. */
const z = 1.96;

/** Name that is used in place of a tool's name if the model called no tool. */
export const none = "none";

/** The rate of passed runs with its Wilson interval, rounded to a thousandth. */
export function rateOf(passed: number, runs: number): Rate {
  if (runs === 0) return { passed, runs, rate: 0, low: 0, high: 1 };
  const share = passed / runs;
  const middle = (share + z ** 2 / (2 * runs)) / (1 + z ** 2 / runs);
  const half = (z * Math.sqrt((share * (1 - share)) / runs + z ** 2 / (4 * runs ** 2))) / (1 + z ** 2 / runs);
  return {
    passed,
    runs,
    rate: rounded(share),
    low: rounded(Math.max(0, middle - half)),
    high: rounded(Math.min(1, middle + half)),
  };
}

/** The report of one model, from the judged answers of all its questions. */
export function scoreModel(
  model: string,
  asked: readonly { readonly question: Question; readonly answers: readonly Run[] }[],
): ModelReport {
  const questions = asked.map(({ question, answers }): QuestionReport => ({
    ...question,
    ...rateOfRuns(answers),
    answers,
  }));
  const runs = questions.flatMap(({ answers }) => answers);
  const tools = [...Map.groupBy(questions, ({ tool }) => tool)].map(([tool, its]) => scoreTool(tool, its));
  return {
    model,
    ...rateOfRuns(runs),
    tools: tools.toSorted((a, b) => a.rate - b.rate || (a.tool < b.tool ? -1 : 1)),
    confusion: confusionOf(questions),
    tokens: {
      input: runs.reduce((sum, { tokens }) => sum + tokens.input, 0),
      output: runs.reduce((sum, { tokens }) => sum + tokens.output, 0),
    },
    questions,
  };
}

/** A question passes when more than half of its runs do. */
export function passes({ passed, runs }: Rate): boolean {
  return passed * 2 > runs;
}

function scoreTool(tool: string, questions: readonly QuestionReport[]): ToolReport {
  const answers = questions.flatMap(({ answers: its, request }) =>
    its.map((answer) => ({ ...answer, expected: request === undefined ? none : tool })),
  );
  const others = answers.flatMap(({ expected, picked = none }) => (picked === expected ? [] : [picked]));
  return { tool, ...rateOfRuns(answers), takenFor: countOf(others) };
}

function confusionOf(questions: readonly QuestionReport[]): ModelReport["confusion"] {
  const rows = Map.groupBy(questions, ({ tool, request }) => (request === undefined ? none : tool));
  const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([expected, its]) => [
      expected,
      countOf(its.flatMap(({ answers }) => answers.map(({ picked = none }) => picked))),
    ]),
  );
}

function countOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length] as const);
  return Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function rateOfRuns(runs: readonly Run[]): Rate {
  return rateOf(runs.filter(({ outcome }) => outcome === "right").length, runs.length);
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}

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

/** Fills in the defaults of fields, also of nested ones, because a model may write defaults or omit them. */
function completed(schema: JsonSchema, request: JsonValue): JsonValue {
  const definitions = schema["$defs"];
  const { $schema: _urn, ...fields } = isObject(request) ? (request as JsonObject) : {};
  return complete(schema, isObject(request) ? fields : request);

  function complete(given: unknown, value: JsonValue): JsonValue {
    if (!isObject(given)) return value;
    const ref = given["$ref"];
    if (typeof ref === "string" && isObject(definitions))
      return complete(definitions[ref.replace("#/$defs/", "")], value);
    if (Array.isArray(value)) return value.map((item) => complete(given["items"], item as JsonValue));
    const { properties } = given;
    if (!isObject(value) || !isObject(properties)) return value;
    const defaults = Object.entries(properties).flatMap(([key, field]) =>
      isObject(field) && field["default"] !== undefined ? [[key, field["default"] as JsonValue] as const] : [],
    );
    const written = Object.entries(value as JsonObject).map(
      ([key, field]) => [key, complete(properties[key], field as JsonValue)] as const,
    );
    return { ...Object.fromEntries(defaults), ...Object.fromEntries(written) };
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    // An empty text counts as an empty object, since models may write nothing for a call without arguments.
    return text.trim() === "" ? {} : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}
