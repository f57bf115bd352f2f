import type { ModelCall } from "../../job/model-call.ts";
import type { LlmPending } from "./openai-types.ts";

/** A stream of the client. Its public ways to be read all begin at `iterator`. */
interface AnswerStream {
  iterator: () => AsyncIterator<unknown>;
}

/**
 * Sends a request as part of a call and tells the call of its answer, which stays as it is: a promise with
 * `withResponse` and `asResponse`, and a stream that can be split, cancelled or made a `ReadableStream`. A body that the
 * author does not read is not read.
 */
export function observeRequest<Answer>(
  call: ModelCall,
  options: unknown,
  send: () => LlmPending<Answer>,
): LlmPending<Answer> {
  // The client's resources give the options at once, unless the caller's own come later.
  if (options instanceof Promise) options.then((given) => call.asked(bodyOf(given))).catch(() => {});
  else call.asked(bodyOf(options));
  const pending = call.run(send);
  pending.asResponse().then(
    () => call.arrived(),
    (error: unknown) => call.failed(error),
  );
  return pending._thenUnwrap((answer) => {
    if (isStream(answer)) observeStream(answer, call);
    else call.answered(answer);
    return answer;
  });
}

function bodyOf(options: unknown): unknown {
  return typeof options === "object" && options !== null && "body" in options ? options.body : undefined;
}

function isStream(answer: unknown): answer is AnswerStream {
  return typeof answer === "object" && answer !== null && "iterator" in answer && Symbol.asyncIterator in answer;
}

function observeStream(stream: AnswerStream, call: ModelCall): void {
  const iterate = stream.iterator.bind(stream);
  stream.iterator = () => {
    const source = iterate();
    const through = async (step: Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> => {
      try {
        const result = await step;
        if (result.done === true) call.answered();
        else call.piece(result.value);
        return result;
      } catch (error) {
        call.failed(error);
        throw error;
      }
    };
    const observed: AsyncIterableIterator<unknown> = {
      next: () => through(source.next()),
      [Symbol.asyncIterator]: () => observed,
    };
    if (source.return !== undefined) observed.return = (value) => through(source.return?.(value) ?? done());
    if (source.throw !== undefined) observed.throw = (error) => through(source.throw?.(error) ?? done());
    return observed;
  };
}

async function done(): Promise<IteratorResult<unknown>> {
  return { done: true, value: undefined };
}
