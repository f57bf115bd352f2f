import type { JsonObject, JsonValue } from "../../contract/contract.ts";
import type { ClientCapability, ClientMethod, JobClient, Question } from "../../job/question.ts";

/** A question as a test sees it. */
export interface AskedQuestion {
  /** Key of the question: `question-1`, or the key that the author gave. */
  readonly key: string;
  /** Message to the user; empty for `sampling/createMessage` and `roots/list`. */
  readonly message: string;
  readonly method: ClientMethod;
  readonly params: JsonObject;
}

/**
 * Answers for `job.ask`, by the question's key, or a function. An answer is the requested value, such as `true` or
 * `{ "name": "Ada" }`, or `{ "action": "decline" }` or `{ "action": "cancel" }`; for `job.request` it is the result.
 */
export type Answers =
  | Readonly<Record<string, JsonValue>>
  | ((question: AskedQuestion) => JsonValue | Promise<JsonValue>);

const actions: ReadonlySet<unknown> = new Set(["accept", "decline", "cancel"]);

/** Creates a client that supports every question and answers from `answers`. */
export function createAnsweringClient(answers: Answers): JobClient {
  return {
    can: (_capability: ClientCapability) => true,
    async ask({ key, method, params, accepts }: Question) {
      const message = typeof params["message"] === "string" ? params["message"] : "";
      const told = typeof answers === "function" ? await answers({ key, message, method, params }) : answers[key];
      if (told === undefined) {
        throw new TypeError(
          `The job asks ${JSON.stringify(key)}${message === "" ? "" : ` (${message})`}, and the test has no answer: ` +
            `add answers: { ${JSON.stringify(key)}: … }.`,
        );
      }
      const answer = method === "elicitation/create" ? formAnswer(told) : (told as JsonObject);
      if (accepts(answer)) return answer;
      throw new TypeError(
        `The test's answer to ${JSON.stringify(key)}, ${JSON.stringify(told)}, does not match the question.`,
      );
    },
  };
}

/** The answer in the form of MCP: a single value becomes the field `answer` of a form. */
function formAnswer(told: JsonValue): JsonObject {
  if (typeof told !== "object" || told === null || Array.isArray(told)) {
    return { action: "accept", content: { answer: told } };
  }
  const object = told as JsonObject;
  return actions.has(object["action"]) ? object : { action: "accept", content: object };
}
