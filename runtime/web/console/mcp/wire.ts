import { serverSentEvents } from "../../../contract/event-stream.ts";
import { asRecord, isRecord, parseJson, textIn, toJson } from "../base/json.ts";
import { createStore, type Store } from "../base/store.ts";
import { throttle } from "../base/throttle.ts";
import { messageOf, type Client } from "../client/client.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON-RPC message that was sent or received. */
export interface Entry {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** True for a message that this page has sent. */
  readonly isSent: boolean;
  readonly message: JsonObject;
}

/** A question of the service to the user of the host. */
export interface Question {
  readonly number: number;
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: JsonObject;
  /** The answer that the call has had for this question, if it asks the same again: the service has refused it. */
  readonly refused: JsonObject | undefined;
  /** Takes the answer; undefined if the user refuses. */
  readonly give: (answer: JsonObject | undefined) => void;
}

/** Messages between the page and the MCP endpoint of its service, with a log of them. */
export interface Wire {
  readonly log: Store<readonly Entry[]>;
  readonly questions: Store<readonly Question[]>;
  /** Number of notifications of changed lists so far. */
  readonly changes: Store<number>;
  /** Returns a new request number. */
  next(): number;
  /** Sends a message. */
  post(message: JsonObject, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>;
  /**
   * Yields the messages of an answer, with the ids of their events. Rejects if the answer is an error that is not a
   * message.
   */
  read(response: Response): AsyncGenerator<{ readonly message: JsonObject; readonly event?: string | undefined }>;
  /** Asks the user; resolves to undefined if the user refuses. Rejects when the call has been cancelled. */
  ask(method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject | undefined>;
}

/** Maximum number of messages in the log. */
const mostKept = 500;

/** Creates the message channel of one connection. */
export function createWire(client: Client): Wire {
  const log = createStore<readonly Entry[]>([]);
  const questions = createStore<readonly Question[]>([]);
  const changes = createStore(0);
  let last = 0;
  let answered:
    | { readonly text: string; readonly signal: unknown; readonly answer: JsonObject | undefined }
    | undefined;
  const next = (): number => (last += 1);
  let fresh: Entry[] = [];
  const noting = throttle(() => {
    log.set([...log.get(), ...fresh].slice(-mostKept));
    fresh = [];
  });
  const note = (isSent: boolean, message: JsonObject): void => {
    fresh.push({ number: next(), at: Date.now(), isSent, message });
    noting.soon();
    if (/^notifications\/\w+\/list_changed$/.test(textIn(message, "method") ?? "")) changes.set(changes.get() + 1);
  };
  return {
    log,
    questions,
    changes,
    next,
    async post(message, headers, signal) {
      note(true, message);
      return client.send("/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: toJson(message),
        ...(signal && { signal }),
      });
    },
    async *read(response) {
      if (response.body !== null && response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
        for await (const { id, data } of serverSentEvents(response.body)) {
          const message = asRecord(parseJson(data));
          // Data that is not a message is skipped: a stream may begin with an event that only has an id.
          if (message["jsonrpc"] !== undefined) note(false, message);
          yield { message, event: id };
        }
        return;
      }
      const text = await response.text();
      const message = parseJson(text);
      if (isRecord(message) && message["jsonrpc"] !== undefined) {
        note(false, message);
        yield { message };
      } else if (!response.ok) throw new Error(messageOf(text) ?? `The service answered ${response.status}.`);
    },
    ask: (method, params, signal) =>
      new Promise((resolve, reject) => {
        const number = next();
        const text = toJson(params);
        const refused = answered?.text === text && answered.signal === signal ? answered.answer : undefined;
        const remove = (): void => questions.set(questions.get().filter((one) => one.number !== number));
        const give = (answer: JsonObject | undefined): void => {
          remove();
          answered = { text, signal, answer };
          resolve(answer);
        };
        signal?.addEventListener("abort", () => {
          remove();
          reject(new Error("The call was cancelled."));
        });
        questions.set([...questions.get(), { number, method, params, refused, give }]);
      }),
  };
}
