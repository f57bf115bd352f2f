import type { JsonObject, JsonValue, ToolDefinition } from "../../runtime/contract/contract.ts";

/** A sentence of a user (`@ask`), and the call that a model should make of it. */
export interface Question {
  /** The tool whose comment has it. */
  readonly tool: string;
  readonly sentence: string;
  /** The request that a model should make; absent: it should call no tool. */
  readonly request?: JsonValue;
}

/** A tool as it is offered. */
export interface EvalTool {
  readonly definition: ToolDefinition;
  /** `@alwaysLoad`: offered at once where the others are searched. */
  readonly alwaysLoad: boolean;
}

/** The tool that a model has picked, and what it cost. */
export interface Answer {
  /** Absent: it called none. */
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
 * accepts the arguments, which are not the expected ones. `refused`: it does not accept them.
 */
export type Outcome = "right" | "other-values" | "refused" | "other-tool" | "no-call" | "needless-call";

/** One judged answer. */
export interface Run extends Answer {
  readonly outcome: Outcome;
  /** Reasons of the tool to refuse the arguments, each with its path. */
  readonly problems?: readonly string[];
}

/** Passed runs of all, with the 95 % Wilson interval of the rate; each 0 to 1. */
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

/** A tool over the questions of its comment. */
export interface ToolReport extends Rate {
  readonly tool: string;
  /** Times that another tool, or none, was picked in its place. */
  readonly takenFor: Readonly<Record<string, number>>;
}

/** The outcome of one model. */
export interface ModelReport extends Rate {
  readonly model: string;
  readonly questions: readonly QuestionReport[];
  /** The worst first. */
  readonly tools: readonly ToolReport[];
  /** Times that a tool (or `none`) was expected, and another picked. */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly tokens: Tokens;
}

/** The data that `--json` prints and `--baseline` reads. */
export interface EvalReport {
  readonly search: boolean;
  readonly instructions: boolean;
  readonly models: readonly ModelReport[];
}

/** A request to `chat/completions`, as far as it is ours. */
export type ModelRequest = JsonObject & { readonly model: string };

/** The part of a model's answer that counts, and is recorded. */
export interface Completion {
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly tokens: Tokens;
}

/** Asks a model. @param run From 1; the same request of another run is another question */
export type AskModel = (request: ModelRequest, run: number) => Promise<Completion>;
