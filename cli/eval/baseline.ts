import type { EvalReport } from "./facts.ts";
import { passes } from "./score.ts";

/** A sentence that passed before and fails now. */
export interface Regression {
  readonly model: string;
  readonly tool: string;
  readonly sentence: string;
}

/** The sentences that passed in an earlier report and fail in this one; new and removed sentences do not count. */
export function regressionsOf(before: EvalReport, now: EvalReport): readonly Regression[] {
  return now.models.flatMap(({ model, questions }) => {
    const old = before.models.find((one) => one.model === model)?.questions ?? [];
    return questions.flatMap((question) => {
      const { tool, sentence } = question;
      const known = old.find((one) => one.tool === tool && one.sentence === sentence);
      return known !== undefined && passes(known) && !passes(question) ? [{ model, tool, sentence }] : [];
    });
  });
}

/** Reads a report that `--json` printed; returns an error text if it is invalid. */
export function parseReport(text: string): EvalReport | string {
  try {
    const report = JSON.parse(text) as EvalReport;
    const isReport = Array.isArray(report.models) && report.models.every(({ questions }) => Array.isArray(questions));
    return isReport ? report : "it is not a report of `tenon eval --json`";
  } catch {
    return "it is not JSON";
  }
}
