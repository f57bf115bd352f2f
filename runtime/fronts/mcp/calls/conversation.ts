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
  /** Digests of the questions that were answered, where they are known: an answer to another question does not count. */
  readonly asked?: Readonly<Record<string, string>> | undefined;
}
const nothingGiven: Given = { answers: {} };

/** Made with the first question: nearly every job ends without one. */
interface Talk {
  readonly answers: Map<string, JsonObject>;
  /** Digests of the questions that were asked, also in an earlier run of the job. */
  readonly asked: Map<string, string>;
  readonly pending: Map<string, Pending>;
}

/** What one job asks its client, over as many messages as it takes. */
export class Conversation implements JobClient {
  /** Capabilities that the client declared with its latest message. */
  capabilities: JsonObject;
  readonly #given: Given;
  #begun: Talk | undefined;
  #onQuestion: (() => void) | undefined;
  #onAnswered: (() => void) | undefined;
  #closed: ToolError | undefined;

  /** @param given What an earlier run of the job was told, and what came along with the call. */
  constructor(capabilities: JsonObject, given: Given = nothingGiven) {
    this.capabilities = capabilities;
    this.#given = given;
  }

  can(capability: ClientCapability): boolean {
    const declared = this.capabilities[capability];
    if (!isRecord(declared)) return false;
    // A client that names modes of elicitation has only those; one that names none has forms.
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

  /** Hands over what the client answered. What is no answer to an open question, or not a usable one, is left out. */
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

  /** A question is open. */
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

  /** Digests of the open questions and of those that were answered. */
  get asked(): Readonly<Record<string, string>> {
    const { answers, asked, pending } = this.#talk;
    return Object.fromEntries([...asked].filter(([key]) => answers.has(key) || pending.has(key)));
  }

  /** Calls a function with the next question; at once, before this returns, when one is open. One listener at a time. */
  onQuestion(listener: () => void): void {
    this.#onQuestion = listener;
    if (this.asks) listener();
  }

  /** Resolves when the job has asked, together with everything that it asks at the same time. */
  async nextQuestion(): Promise<"asked"> {
    await new Promise<void>((resolve) => this.onQuestion(resolve));
    // Branches that run side by side ask in one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return "asked";
  }

  /** Resolves when no question is open. */
  answered(): Promise<void> {
    if (!this.asks) return Promise.resolve();
    return new Promise((resolve) => (this.#onAnswered = resolve));
  }

  /** Nobody will answer any more: open and coming questions fail. */
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

/** Tells two questions apart, so that a yes to one is not taken for a yes to the other. */
function questionDigest({ method, params }: Question): string {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  return hash
    .update(`${method} ${JSON.stringify(params satisfies JsonValue)}`)
    .digest("base64url")
    .slice(0, 22);
}
