import type { ModelCall } from "../../job/job-span.ts";
import type { LlmPending } from "./openai-types.ts";

/** A stream of the client. All its public ways of reading use `iterator`. */
interface AnswerStream {
  iterator: () => AsyncIterator<unknown>;
}

/**
 * Sends a request and reports its answer to the telemetry of the call. The answer is unchanged: a promise with
 * `withResponse` and `asResponse`, and a stream that can be split, cancelled or made a `ReadableStream`. The body is
 * read only if the author reads it.
 */
export function observeRequest<Answer>(
  call: ModelCall,
  options: unknown,
  send: () => LlmPending<Answer>,
): LlmPending<Answer> {
  // The client's resources pass the options directly; a caller may pass a promise of them.
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
