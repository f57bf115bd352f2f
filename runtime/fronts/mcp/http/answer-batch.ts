import { requestId } from "../port/message-shape.ts";
import { isRequest } from "../sessions/session-scopes.ts";
import type { Answer } from "../../http/answer.ts";
import type { Exchange } from "../../http/exchange.ts";
import { heldByStream } from "../../http/held-by-stream.ts";
import { eventStream, toEvent } from "./event-stream.ts";
import { refuse } from "./http-route.ts";

/** Maximum number of messages of a batch that are answered at the same time. */
const mostAtOnce = 4;
/** Bytes that wait for the reader before the next message is answered. */
const mostWaiting = 1024 * 1024;

/**
 * Answers a JSON-RPC batch message by message, in one stream. A message begins when the reader has taken the answers
 * before it: 100 calls of a few bytes may have results of 6 MB each. When the reader leaves, messages that have not
 * begun are dropped.
 *
 * @param answer Answers one message.
 */
export async function answerBatch(
  exchange: Exchange,
  messages: readonly unknown[],
  answer: (message: unknown) => Promise<Answer>,
): Promise<Answer> {
  // Each message listens for the end of the connection.
  (exchange.call as Partial<NodeJS.EventEmitter>).setMaxListeners?.(0);
  const left = [...messages];
  const first = await answer(left.shift());
  if (first.status >= 400) return first;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
  );
  const writer = writable.getWriter();
  const hold = heldByStream(exchange.call) ?? ((): void => {});
  let waiting = 0;
  const count = (bytes: number): void => hold((waiting += bytes));
  async function write(piece: Uint8Array): Promise<void> {
    await writer.ready;
    count(piece.byteLength);
    writer.write(piece).then(
      () => count(-piece.byteLength),
      () => {},
    );
  }
  async function pass({ body }: Answer): Promise<void> {
    if (body instanceof ReadableStream) for await (const piece of body) await write(piece as Uint8Array);
    else if (body !== undefined) await write(Buffer.from(toEvent(String(body))));
  }
  async function work(begun?: Answer): Promise<void> {
    if (begun !== undefined) await pass(begun);
    while (left.length > 0) {
      await writer.ready;
      const message = left.shift();
      await pass(await answer(message).catch((thrown: unknown) => refuse(thrown, requestId(message))));
    }
  }
  const all = Promise.all([work(first), ...Array.from({ length: mostAtOnce - 1 }, () => work())])
    .then(() => writer.close())
    .catch((thrown: unknown) => {
      left.length = 0;
      return writer.abort(thrown);
    })
    .catch(() => {});
  if (messages.some(isRequest)) return { status: 200, headers: eventStream, body: readable };
  // Notifications and answers have no answer of their own.
  await all;
  return first;
}
