import type { EvalReport, ModelReport, QuestionReport, Rate, Run } from "./facts.ts";
import { none } from "./score.ts";

/**
 * The report for people: rates side by side, the worst tools first, each wrong answer, and a matrix of expected and
 * called tools.
 */
export function reportLines({ models }: EvalReport): readonly string[] {
  return models.flatMap((report, at) => [...(at === 0 ? [] : [""]), ...modelLines(report)]).concat(sideBySide(models));
}

function modelLines(report: ModelReport): readonly string[] {
  const { model, tools, questions, tokens } = report;
  const width = Math.max(...tools.map(({ tool }) => tool.length));
  return [
    `${model}: ${rateText(report)}, ${tokens.input} tokens in, ${tokens.output} out`,
    ...tools.map((tool) => {
      const taken = Object.entries(tool.takenFor).map(([name, count]) => `${name} ${count}`);
      const note = taken.length === 0 ? "" : `, in its place: ${taken.join(", ")}`;
      return `  ${tool.tool.padEnd(width)}  ${rateText(tool)}${note}`;
    }),
    ...matrix(report),
    ...questions.flatMap((question) => wrongLines(question)),
  ];
}

function rateText({ passed, runs, rate, low, high }: Rate): string {
  return `${passed} of ${runs}, ${percent(rate)} (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A matrix. Rows: expected tools; columns: called tools. */
function matrix({ confusion }: ModelReport): readonly string[] {
  const rows = Object.keys(confusion);
  const columns = [...new Set([...rows, ...Object.values(confusion).flatMap((row) => Object.keys(row))])].toSorted();
  const width = Math.max(...columns.map((name) => name.length), "expected".length);
  const cell = (text: string, of: string): string => text.padStart(Math.max(of.length, 3));
  return [
    "",
    `  ${"expected".padEnd(width)}  picked ${columns.map((name) => cell(name, name)).join("  ")}`,
    ...rows.map(
      (row) =>
        `  ${row.padEnd(width)}         ${columns.map((name) => cell(String(confusion[row]?.[name] ?? 0), name)).join("  ")}`,
    ),
    "",
  ];
}

function wrongLines({ tool, sentence, request, passed, runs, answers }: QuestionReport): readonly string[] {
  if (passed === runs) return [];
  const wrong = answers.filter(({ outcome }) => outcome !== "right").map(wrongText);
  const counts = [...Map.groupBy(wrong, (text) => text)].map(([text, { length }]) => `    ${length} × ${text}`);
  const wanted = request === undefined ? none : `${tool} ${JSON.stringify(request)}`;
  return [`  ${JSON.stringify(sentence)}  ${passed} of ${runs}, expected ${wanted}`, ...counts];
}

function wrongText({ outcome, picked = none, arguments: text = "", problems = [] }: Run): string {
  if (outcome === "refused") return `${picked} ${text} is refused: ${problems.join("; ")}`;
  if (outcome === "other-values") return `${picked} ${text} is accepted, with other values`;
  return outcome === "no-call" ? "no tool was called" : `${picked} ${text} was called`;
}

/** A line per sentence with the passed runs of each model. */
function sideBySide(models: readonly ModelReport[]): readonly string[] {
  const [first] = models;
  if (first === undefined || models.length < 2) return [];
  return [
    "",
    models.map(({ model }) => model).join(" | "),
    ...first.questions.map(({ tool, sentence }, at) => {
      const cells = models.map(({ questions }) => `${questions[at]?.passed}/${questions[at]?.runs}`);
      return `  ${cells.join(" | ")}  ${tool}  ${JSON.stringify(sentence)}`;
    }),
  ];
}
