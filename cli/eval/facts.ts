import type { JsonObject, JsonValue, ToolDefinition } from "../../runtime/contract/contract.ts";

/** A sentence of a user (`@ask`), and the call that a model should make for it. */
export interface Question {
  /** Tool whose comment contains the sentence. */
  readonly tool: string;
  readonly sentence: string;
  /** Request that a model should make; if absent, the model should call no tool. */
  readonly request?: JsonValue;
}

/** A tool in the form that a model gets. */
export interface EvalTool {
  readonly definition: ToolDefinition;
  /** `@alwaysLoad`: the model gets the tool at once even if other tools are searched for. */
  readonly alwaysLoad: boolean;
}

/** Tool call that a model has answered with, and its cost. */
export interface Answer {
  /** Name of the tool; absent: the model called none. */
  readonly picked?: string;
  /** Text of the arguments, as the model wrote it. */
  readonly arguments?: string;
  readonly tokens: Tokens;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/**
 * The judgement of one answer. `right`: the expected call, or none where none is expected. `other-values`: the tool
 * accepts the arguments, which are not the expected ones. `refused`: the tool does not accept the arguments.
 */
export type Outcome = "right" | "other-values" | "refused" | "other-tool" | "no-call" | "needless-call";

/** One judged answer. */
export interface Run extends Answer {
  readonly outcome: Outcome;
  /** Reasons why the tool refuses the arguments, each with its path. */
  readonly problems?: readonly string[];
}

/** Passed runs and all runs, with the 95 % Wilson interval of the rate; each 0 to 1. */
export interface Rate {
  readonly passed: number;
  readonly runs: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** A question with all its runs. */
export interface QuestionReport extends Question, Rate {
  readonly answers: readonly Run[];
}

/** The rate of a tool over the questions in its comment. */
export interface ToolReport extends Rate {
  readonly tool: string;
  /** Number of times that each other tool, or none, was called instead. */
  readonly takenFor: Readonly<Record<string, number>>;
}

/** The outcome of one model. */
export interface ModelReport extends Rate {
  readonly model: string;
  readonly questions: readonly QuestionReport[];
  /** The worst tools first. */
  readonly tools: readonly ToolReport[];
  /** Number of times that a tool (or `none`) was expected and another one called. */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly tokens: Tokens;
}

/** The data that `--json` prints and `--baseline` reads. */
export interface EvalReport {
  readonly search: boolean;
  readonly instructions: boolean;
  readonly models: readonly ModelReport[];
}

/** The parts of a request to `chat/completions` that tenon sets. */
export type ModelRequest = JsonObject & { readonly model: string };

/** The part of a model's answer that is judged and recorded. */
export interface Completion {
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly tokens: Tokens;
}

/**
 * Asks a model.
 *
 * @param run From 1; recordings store the answer of each run separately
 */
export type AskModel = (request: ModelRequest, run: number) => Promise<Completion>;
