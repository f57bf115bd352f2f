import type { JsonObject, JsonValue } from "../../../contract/contract.ts";
import type { ToolError } from "../../../base/errors.ts";
import type { ClientCapability, JobClient, Question } from "../../../job/question.ts";
import { isRecord } from "../port/message-shape.ts";
import type { McpInputRequests } from "../port/answers.ts";

/** Answers by the key of their question. */
export type Answers = Readonly<Record<string, JsonObject>>;

interface Pending {
  readonly question: Question;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: ToolError) => void;
}

export interface Given {
  readonly answers: Answers;
  /** Digests of the answered questions, if known: an answer to another question is ignored. */
  readonly asked?: Readonly<Record<string, string>> | undefined;
}
const nothingGiven: Given = { answers: {} };

/** Created with the first question: nearly every job ends without one. */
interface Talk {
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
  #begun: Talk | undefined;
  #onQuestion: (() => void) | undefined;
  #onAnswered: (() => void) | undefined;
  #closed: ToolError | undefined;

  /** @param given Answers from an earlier run of the job, and those that came with the call. */
  constructor(capabilities: JsonObject, given: Given = nothingGiven) {
    this.capabilities = capabilities;
    this.#given = given;
  }

  can(capability: ClientCapability): boolean {
    const declared = this.capabilities[capability];
    if (!isRecord(declared)) return false;
    // A client that names modes of elicitation supports only those; one without modes supports forms.
    return capability !== "elicitation" || Object.keys(declared).length === 0 || "form" in declared;
  }

  ask(question: Question): Promise<JsonObject> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const { answers, asked, pending } = this.#talk;
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
    });
  }

  /** Delivers the client's answers. An answer without an open question, or an unusable one, is ignored. */
  deliver(responses: unknown): void {
    if (!isRecord(responses)) return;
    const { answers, pending } = this.#talk;
    for (const [key, answer] of Object.entries(responses)) {
      const open = pending.get(key);
      if (open === undefined || !isRecord(answer) || !open.question.accepts(answer as JsonObject)) continue;
      pending.delete(key);
      answers.set(key, answer as JsonObject);
      open.resolve(answer as JsonObject);
    }
    if (!this.asks) this.#onAnswered?.();
  }

  /** True while a question is open. */
  get asks(): boolean {
    return this.#begun !== undefined && this.#begun.pending.size > 0;
  }

  /** The open questions, as MCP sends them; undefined when there are none. */
  get requests(): McpInputRequests | undefined {
    if (!this.asks) return undefined;
    const entries = [...this.#talk.pending].map(([key, { question }]) => [
      key,
      { method: question.method, params: question.params },
    ]);
    return Object.fromEntries(entries) as McpInputRequests;
  }

  /** The answers so far. */
  get answers(): Answers {
    return Object.fromEntries(this.#talk.answers);
  }

  /** Digests of the open and the answered questions. */
  get asked(): Readonly<Record<string, string>> {
    const { answers, asked, pending } = this.#talk;
    return Object.fromEntries([...asked].filter(([key]) => answers.has(key) || pending.has(key)));
  }

  /** Calls a function at the next question, or at once when one is open. One listener at a time. */
  onQuestion(listener: () => void): void {
    this.#onQuestion = listener;
    if (this.asks) listener();
  }

  /** Resolves after the job has asked, with all questions of the same turn. */
  async nextQuestion(): Promise<"asked"> {
    await new Promise<void>((resolve) => this.onQuestion(resolve));
    // Parallel branches of a tool ask in one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return "asked";
  }

  /** Resolves when no question is open. */
  answered(): Promise<void> {
    if (!this.asks) return Promise.resolve();
    return new Promise((resolve) => (this.#onAnswered = resolve));
  }

  /** Fails open and future questions: no answer can come any more. */
  close(error: ToolError): void {
    this.#closed = error;
    if (this.#begun === undefined) return;
    for (const { reject } of this.#begun.pending.values()) reject(error);
    this.#begun.pending.clear();
  }

  get #talk(): Talk {
    return (this.#begun ??= {
      answers: new Map(Object.entries(this.#given.answers)),
      asked: new Map(Object.entries(this.#given.asked ?? {})),
      pending: new Map(),
    });
  }
}

/** Identifies a question, so that a yes to one is not taken for a yes to another. */
function questionDigest({ method, params }: Question): string {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  return hash
    .update(`${method} ${JSON.stringify(params satisfies JsonValue)}`)
    .digest("base64url")
    .slice(0, 22);
}
