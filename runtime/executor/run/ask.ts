import type { JsonObject, JsonSchema, JsonValue } from "../../contract/contract.ts";
import { ToolError, ValueError } from "../../base/errors.ts";
import { reportProblems } from "../../contract/validation/report/report.ts";
import type { CurrentJob } from "../../job/current-job.ts";
import { capabilityOf, MissingCapabilityError, type ClientMethod, type Question } from "../../job/question.ts";
import { stayDuring } from "./stay-during.ts";

export interface AskOptions {
  /** Name of the question, for clients and for reruns of the job; default `question-1`, `question-2` … */
  readonly key?: string;
}

/** Generated from the type argument of `job.ask<T>(…)`. */
export interface AskForm {
  /** Flat object schema, as MCP's elicitation takes it. */
  readonly schema: JsonSchema;
  /** True if `T` is a single value, which the form has as the field `answer`. */
  readonly single?: true;
}

/**
 * Error if the user was asked and gave no answer: `decline` means no, `cancel` means dismissed. Callers get it as an
 * error of their own.
 */
export class DeclinedError extends ValueError {
  override readonly name: string = "DeclinedError";
  readonly action: "decline" | "cancel";

  constructor(action: "decline" | "cancel", message: string) {
    super(`The user ${action === "decline" ? "declined" : "dismissed"} the question: ${message}`);
    this.action = action;
  }
}

/** Questions of one job, numbered in the order in which they are asked. */
export class Asker {
  readonly #job: CurrentJob;
  readonly #used = new Map<string, number>();
  #count = 0;

  constructor(job: CurrentJob) {
    this.#job = job;
  }

  async ask(message: string, options: AskOptions, form: AskForm | undefined): Promise<unknown> {
    if (form === undefined) {
      throw new TypeError(
        "job.ask needs the type of the answer, and tenon's plugin: write job.ask<boolean>(…) or job.ask<{ name: string }>(…).",
      );
    }
    const { client } = this.#job;
    if (client === undefined || !client.can("elicitation")) throw cannotAsk(client === undefined);
    const answer = await this.#send({
      key: this.#key(options.key),
      method: "elicitation/create",
      params: { message, requestedSchema: form.schema },
      accepts: ({ action, content }) => isRefusal(action) || (action === "accept" && isContent(form.schema, content)),
    });
    const { action } = answer;
    if (isRefusal(action)) throw new DeclinedError(action, message);
    const content = withDefaults(form.schema, answer["content"] as JsonObject);
    return form.single === true ? content["answer"] : content;
  }

  request(method: ClientMethod, params: JsonObject, options: AskOptions): Promise<JsonObject> {
    const { client } = this.#job;
    const capability = capabilityOf(method);
    if (client === undefined || !client.can(capability)) return Promise.reject(new MissingCapabilityError(capability));
    return this.#send({ key: this.#key(options.key), method, params, accepts: resultChecks[method] });
  }

  async #send(question: Question): Promise<JsonObject> {
    const { client, signal } = this.#job;
    signal.throwIfAborted();
    const answered = (): Promise<JsonObject> =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason as Error);
        signal.addEventListener("abort", stop, { once: true });
        void (client as NonNullable<typeof client>)
          .ask(question)
          .then(resolve, reject)
          .finally(() => signal.removeEventListener("abort", stop));
      });
    return stayDuring(this.#job, answered);
  }

  /** Returns the key of a question. A repeated key gets a number, so that each answer in a loop has its own key. */
  #key(given: string | undefined): string {
    this.#count += 1;
    const name = given ?? `question-${this.#count}`;
    const times = (this.#used.get(name) ?? 0) + 1;
    this.#used.set(name, times);
    return times === 1 ? name : `${name}-${times}`;
  }
}

const resultChecks: Readonly<Record<ClientMethod, (answer: JsonObject) => boolean>> = {
  "elicitation/create": ({ action }) => action === "accept" || isRefusal(action),
  "sampling/createMessage": ({ role, content }) =>
    typeof role === "string" && typeof content === "object" && content !== null,
  "roots/list": ({ roots }) => Array.isArray(roots),
};

function cannotAsk(noClient: boolean): ToolError {
  const why = noClient
    ? "this call has no client that could be asked. Call it over MCP; a tool with `@thread` cannot ask"
    : 'this client cannot show questions (it has not declared the capability "elicitation"). Call it from one that can';
  return new ToolError("user-input", `The tool asks its user a question, and ${why}.`);
}

function isRefusal(action: JsonValue | undefined): action is "decline" | "cancel" {
  return action === "decline" || action === "cancel";
}

function isContent(schema: JsonSchema, content: JsonValue | undefined): boolean {
  return content !== undefined && reportProblems(schema, withDefaults(schema, content), { strict: false }).length === 0;
}

/** Adds defaults of the form for fields that a client has left out. */
function withDefaults<T extends JsonValue>(schema: JsonSchema, content: T): T {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return content;
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const missing = Object.entries(properties).filter(
    ([key, property]) => property["default"] !== undefined && !Object.hasOwn(content, key),
  );
  const declared = Object.entries(content).filter(([key]) => Object.hasOwn(properties, key));
  return Object.fromEntries([...declared, ...missing.map(([key, property]) => [key, property["default"]])]) as T;
}
