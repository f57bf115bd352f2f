import type { ToolError } from "../base/errors.ts";
import type { JsonObject, JsonValue } from "../contract/contract.ts";
import { isObject } from "../contract/validation/json-value.ts";
import type { ClientCapability, JobClient, OpenQuestions, Question, Reply, Talk } from "./question.ts";

/** Answers by the key of their question. */
export type Answers = Readonly<Record<string, JsonObject>>;

interface Pending {
  readonly question: Question;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: ToolError) => void;
}

/** Stores the questions and answers of a job. */
export interface Keeper {
  asked(): void;
  answered(): void;
}

export interface Given {
  readonly answers: Answers;
  /** Digests of the answered questions, if known: an answer to a different question is ignored. */
  readonly asked?: Readonly<Record<string, string>> | undefined;
}
const nothingGiven: Given = { answers: {} };

/** State that is created with the first question: most jobs ask none. */
interface Begun {
  readonly answers: Map<string, JsonObject>;
  /** Digests of the questions so far, also of earlier runs of the job. */
  readonly asked: Map<string, string>;
  readonly pending: Map<string, Pending>;
}

/** The questions of one job to its client, over any number of messages. */
export class Conversation implements JobClient {
  /** Capabilities from the client's latest message. */
  capabilities: JsonObject;
  readonly #given: Given;
  #begun: Begun | undefined;
  #onQuestion: (() => void) | undefined;
  #keeper: Keeper | undefined;
  #closed: ToolError | undefined;

  /** @param given Answers from an earlier run of the job, and answers that came with the call. */
  constructor(capabilities: JsonObject, given: Given = nothingGiven) {
    this.capabilities = capabilities;
    this.#given = given;
  }

  can(capability: ClientCapability): boolean {
    const declared = this.capabilities[capability];
    if (!isObject(declared)) return false;
    // A client that names modes of elicitation supports only those; one that names none supports forms.
    return capability !== "elicitation" || Object.keys(declared).length === 0 || "form" in declared;
  }

  ask(question: Question): Promise<JsonObject> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const { answers, asked, pending } = this.#state;
    const { key } = question;
    const known = answers.get(key);
    const digest = questionDigest(question);
    const isSame = (asked.get(key) ?? digest) === digest;
    asked.set(key, digest);
    if (known !== undefined && isSame && question.accepts(known)) return Promise.resolve(known);
    answers.delete(key);
    return new Promise((resolve, reject) => {
      pending.set(key, { question, resolve, reject });
      this.#onQuestion?.();
      this.#keeper?.asked();
    });
  }

  /**
   * Delivers the client's answers. An answer to a question of an earlier run, which this run has not asked yet, is
   * stored for it. Other answers without an open question, and unusable answers, are ignored.
   */
  deliver(responses: unknown): void {
    if (!isObject(responses)) return;
    let isAnswered = false;
    for (const [key, answer] of Object.entries(responses)) {
      if (isObject(answer)) isAnswered = this.#accept(key, answer as JsonObject) || isAnswered;
    }
    if (isAnswered) this.#keeper?.answered();
  }

  /**
   * Takes answers that arrived at other processes. An answer to a question that this run has not asked yet is stored
   * for it.
   */
  take(replies: readonly Reply[]): void {
    const { answers, asked, pending } = this.#state;
    let isAnswered = false;
    for (const { key, digest, answer } of replies) {
      if (pending.has(key)) isAnswered = (asked.get(key) === digest && this.#accept(key, answer)) || isAnswered;
      else if (!answers.has(key)) {
        answers.set(key, answer);
        asked.set(key, digest);
      }
    }
    if (isAnswered) this.#keeper?.answered();
  }

  #accept(key: string, answer: JsonObject): boolean {
    const { answers, asked, pending } = this.#state;
    const open = pending.get(key);
    if (open === undefined ? answers.has(key) || !asked.has(key) : !open.question.accepts(answer)) return false;
    pending.delete(key);
    answers.set(key, answer);
    open?.resolve(answer);
    return true;
  }

  /** True while a question is open. */
  get asks(): boolean {
    return this.#begun !== undefined && this.#begun.pending.size > 0;
  }

  /** The open questions, as MCP sends them; undefined when there are none. */
  get requests(): OpenQuestions | undefined {
    if (!this.asks) return undefined;
    const entries = [...this.#state.pending].map(([key, { question }]) => [
      key,
      { method: question.method, params: question.params },
    ]);
    return Object.fromEntries(entries) as OpenQuestions;
  }

  /** The answers so far. */
  get answers(): Answers {
    return this.#begun === undefined ? this.#given.answers : Object.fromEntries(this.#begun.answers);
  }

  /** Digests of the open and the answered questions. */
  get asked(): Readonly<Record<string, string>> {
    if (this.#begun === undefined) return this.#given.asked ?? {};
    const { answers, asked, pending } = this.#begun;
    return Object.fromEntries([...asked].filter(([key]) => answers.has(key) || pending.has(key)));
  }

  /** Calls a function at the next question, or at once when one is open. One listener at a time. */
  onQuestion(listener: () => void): void {
    this.#onQuestion = listener;
    if (this.asks) listener();
  }

  /**
   * Registers a keeper that stores every question and answer. If a question is already open, the keeper is notified
   * immediately.
   */
  keptBy(keeper: Keeper): void {
    this.#keeper = keeper;
    if (this.asks) keeper.asked();
  }

  get talk(): Talk {
    return {
      capabilities: this.capabilities,
      asked: this.asked,
      answers: this.answers,
      open: this.requests ?? {},
      seen: 0,
    };
  }

  /** Fails open and future questions: no answer can come any more. */
  close(error: ToolError): void {
    this.#closed = error;
    if (this.#begun === undefined) return;
    for (const { reject } of this.#begun.pending.values()) reject(error);
    this.#begun.pending.clear();
  }

  get #state(): Begun {
    return (this.#begun ??= {
      answers: new Map(Object.entries(this.#given.answers)),
      asked: new Map(Object.entries(this.#given.asked ?? {})),
      pending: new Map(),
    });
  }
}

/** Identifies a question by its content, so that a yes to one question is not taken for a yes to another. */
function questionDigest({ method, params }: Question): string {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  return hash
    .update(`${method} ${JSON.stringify(params satisfies JsonValue)}`)
    .digest("base64url")
    .slice(0, 22);
}
