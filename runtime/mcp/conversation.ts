import type { JsonObject, JsonValue } from "../contract.ts";
import type { ToolError } from "../errors.ts";
import type { ClientCapability, JobClient, Question } from "../jobs/question.ts";
import { isRecord } from "./message-shape.ts";
import type { McpInputRequests } from "./port.ts";

/** Answers by the key of their question. */
export type Answers = Readonly<Record<string, JsonObject>>;

interface Pending {
  readonly question: Question;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: ToolError) => void;
}

/** What one job asks its client, over as many messages as it takes. */
export class Conversation implements JobClient {
  /** Capabilities that the client declared with its latest message. */
  capabilities: JsonObject;
  readonly #answers = new Map<string, JsonObject>();
  /** Digests of the questions that were asked, also in an earlier run of the job. */
  readonly #asked: Map<string, string>;
  readonly #pending = new Map<string, Pending>();
  #onQuestion: (() => void) | undefined;
  #onAnswered: (() => void) | undefined;
  #closed: ToolError | undefined;

  /**
   * @param answers Of an earlier run of the job, or given along with the call.
   * @param asked What these answers were given to, where that is known: an answer to another question does not count.
   */
  constructor(capabilities: JsonObject, answers: Answers = {}, asked: Readonly<Record<string, string>> = {}) {
    this.capabilities = capabilities;
    for (const [key, answer] of Object.entries(answers)) this.#answers.set(key, answer);
    this.#asked = new Map(Object.entries(asked));
  }

  can(capability: ClientCapability): boolean {
    const declared = this.capabilities[capability];
    if (!isRecord(declared)) return false;
    // A client that names modes of elicitation has only those; one that names none has forms.
    return capability !== "elicitation" || Object.keys(declared).length === 0 || "form" in declared;
  }

  ask(question: Question): Promise<JsonObject> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const { key } = question;
    const known = this.#answers.get(key);
    const asked = this.#asked.get(key);
    const digest = questionDigest(question);
    const isSame = asked === undefined || asked === digest;
    this.#asked.set(key, digest);
    if (known !== undefined && isSame && question.accepts(known)) return Promise.resolve(known);
    this.#answers.delete(key);
    return new Promise((resolve, reject) => {
      this.#pending.set(key, { question, resolve, reject });
      this.#onQuestion?.();
    });
  }

  /** Hands over what the client answered. What is no answer to an open question, or not a usable one, is left out. */
  deliver(responses: unknown): void {
    if (!isRecord(responses)) return;
    for (const [key, answer] of Object.entries(responses)) {
      const open = this.#pending.get(key);
      if (open === undefined || !isRecord(answer) || !open.question.accepts(answer as JsonObject)) continue;
      this.#pending.delete(key);
      this.#answers.set(key, answer as JsonObject);
      open.resolve(answer as JsonObject);
    }
    if (this.#pending.size === 0) this.#onAnswered?.();
  }

  /** The open questions, as MCP sends them; undefined when there are none. */
  get requests(): McpInputRequests | undefined {
    if (this.#pending.size === 0) return undefined;
    const entries = [...this.#pending].map(([key, { question }]) => [
      key,
      { method: question.method, params: question.params },
    ]);
    return Object.fromEntries(entries) as McpInputRequests;
  }

  /** The answers so far. */
  get answers(): Answers {
    return Object.fromEntries(this.#answers);
  }

  /** Digests of the open questions and of those that were answered. */
  get asked(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#asked].filter(([key]) => this.#answers.has(key) || this.#pending.has(key)));
  }

  /** Resolves when the job has asked, together with everything that it asks at the same time. */
  async nextQuestion(): Promise<"asked"> {
    if (this.#pending.size === 0) await new Promise<void>((resolve) => (this.#onQuestion = resolve));
    // Branches that run side by side ask in one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return "asked";
  }

  /** Resolves when no question is open. */
  answered(): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onAnswered = resolve));
  }

  /** Nobody will answer any more: open and coming questions fail. */
  close(error: ToolError): void {
    this.#closed = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
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
