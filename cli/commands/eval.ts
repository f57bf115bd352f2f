import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { estimateTokens } from "../../plugin/index.ts";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, CommandError, type CommandHelp, UsageError, withArguments } from "../base/usage.ts";
import { compileAll } from "../build/compile-entry.ts";
import { parseReport, regressionsOf } from "../eval/baseline.ts";
import type { AskModel, EvalReport, Question } from "../eval/facts.ts";
import { defaultModel, liveModel } from "../eval/live-model.ts";
import { firstRequest } from "../eval/offer-tools.ts";
import { recording, replayed } from "../eval/recorded-model.ts";
import { reportLines } from "../eval/report-text.ts";
import { type EvalPlan, runEval } from "../eval/run-eval.ts";

/** Maximum number of model calls that run without asking the user for confirmation. */
const mostCalls = 200;

export const help: CommandHelp = {
  usage: "tenon eval [entry] [options]",
  summary:
    "Puts the @ask sentences of the tools to a model that is offered all of them, and reports which tool it picks with which arguments. No tool is run.",
  options: {
    model: {
      type: "string",
      value: "NAME",
      multiple: true,
      help: "the model; several are compared, default DEFAULT_LLM_MODEL",
    },
    runs: { type: "string", value: "N", help: "times that each sentence is asked, default 1" },
    search: { type: "boolean", help: "tools are behind a search, as in hosts that defer them" },
    instructions: { type: "string", value: "none", help: "none: leave the service's instructions out" },
    baseline: {
      type: "string",
      value: "FILE",
      help: "an earlier --json report: exit with 1 when a sentence that passed fails",
    },
    record: { type: "string", value: "DIR", help: "write the model's answers into a folder" },
    replay: { type: "string", value: "DIR", help: "take the answers from such a folder, without a network" },
    yes: { type: "boolean", help: `do not ask before more than ${mostCalls} calls` },
    json: { type: "boolean", help: "print the report as JSON" },
  },
  examples: ["tenon eval --runs 5 --json > eval.json", "tenon eval --baseline eval.json --replay test/answers"],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [record, replay] = [given.text("record"), given.text("replay")];
  if (record !== undefined && replay !== undefined) throw new UsageError("--record and --replay exclude each other.");
  const before = readBaseline(given.text("baseline"));
  const plan = await makePlan(given);
  if (plan.questions.length === 0)
    throw new CommandError("No tool has an `@ask`. `tenon explain eval` tells how to write one.");
  const calls = tellCost(plan);
  if (replay === undefined && calls > mostCalls && !given.flag("yes") && !(await isConfirmed(calls))) return 1;
  const report = await runEval(plan, await chosenModel(record, replay));
  if (given.flag("json")) printJson(report);
  else reportLines(report).forEach(say);
  return tellRegressions(before, report);
}

async function makePlan(given: Arguments): Promise<EvalPlan> {
  const runs = Number(given.text("runs") ?? 1);
  if (!Number.isInteger(runs) || runs < 1 || runs > 1000) throw new UsageError("--runs takes a number from 1 to 1000.");
  const instructions = given.text("instructions");
  if (instructions !== undefined && instructions !== "none") throw new UsageError("--instructions takes `none`.");
  const { tools, service } = await compileAll(given.positionals[0], { derivesUrns: true, quiet: true });
  const offered = tools.filter(({ definition }) => definition.kind === undefined);
  const models = given.texts("model");
  return {
    models: models.length === 0 ? [defaultModel] : models,
    runs,
    questions: offered.flatMap(({ model }) =>
      (model.asks ?? []).map((ask): Question => ({ tool: model.name, ...ask })),
    ),
    offer: {
      instructions: instructions === "none" ? "" : (service?.definition.instructions ?? ""),
      tools: offered.map(({ definition, model }) => ({ definition, alwaysLoad: model.alwaysLoad === true })),
      isSearched: given.flag("search"),
    },
  };
}

/** Reports which questions will be asked; returns the minimum number of calls. */
function tellCost({ models, questions, runs, offer }: EvalPlan): number {
  const calls = models.length * questions.length * runs;
  const once = questions.reduce((sum, one) => sum + estimateTokens(JSON.stringify(firstRequest("", one, offer))), 0);
  const tokens = (once * models.length * runs).toLocaleString("en");
  const more = offer.isSearched ? " at least, and more for searches" : "";
  say(
    `${counted(questions.length, "sentence")} × ${counted(models.length, "model")} × ${counted(runs, "run")} = ${calls} calls, about ${tokens} tokens${more}`,
  );
  return calls;
}

async function chosenModel(record: string | undefined, replay: string | undefined): Promise<AskModel> {
  if (replay !== undefined) return replayed(replay);
  const ask = await liveModel();
  return record === undefined ? ask : recording(ask, record);
}

async function isConfirmed(calls: number): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`${calls} calls are more than ${mostCalls}; say --yes.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question("Ask them? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}

function readBaseline(file: string | undefined): EvalReport | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new CommandError(`${file} cannot be read.`);
  }
  const report = parseReport(text);
  if (typeof report === "string") throw new CommandError(`${file} cannot be used: ${report}.`);
  return report;
}

function tellRegressions(before: EvalReport | undefined, report: EvalReport): number {
  const lost = before === undefined ? [] : regressionsOf(before, report);
  for (const { model, tool, sentence } of lost)
    say(`${paint("red", "failed")} ${model}  ${tool}  ${JSON.stringify(sentence)} passed before`);
  return lost.length === 0 ? 0 : 1;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
