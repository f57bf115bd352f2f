import type { AskModel, EvalReport, ModelReport, Question, Run } from "./facts.ts";
import { judge, scoreModel } from "./score.ts";
import { askOnce, type Offer } from "./offer-tools.ts";

export interface EvalPlan {
  readonly models: readonly string[];
  readonly questions: readonly Question[];
  /** Number of times that each model is asked each question. */
  readonly runs: number;
  readonly offer: Offer;
}

/** Maximum number of concurrent requests. */
const mostAtOnce = 4;

/** Asks all models all questions, and reports which tools they called. No tool is run. */
export async function runEval(plan: EvalPlan, ask: AskModel): Promise<EvalReport> {
  const models: ModelReport[] = [];
  for (const model of plan.models) models.push(await runModel(model, plan, ask));
  const { isSearched, instructions } = plan.offer;
  return { search: isSearched, instructions: instructions !== "", models };
}

async function runModel(model: string, { questions, runs, offer }: EvalPlan, ask: AskModel): Promise<ModelReport> {
  const tools = new Map(offer.tools.map(({ definition }) => [definition.name, definition]));
  const asked = questions.map((question) => ({ question, answers: [] as Run[] }));
  const tasks = asked.flatMap((one) => Array.from({ length: runs }, (_, at) => ({ ...one, run: at + 1 })));
  const work = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const { question, run, answers } = task;
      try {
        answers[run - 1] = judge(question, await askOnce(ask, { model, question, run }, offer), tools);
      } catch (error) {
        // The evaluation has failed, so further questions would be paid for in vain.
        tasks.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
  return scoreModel(model, asked);
}
