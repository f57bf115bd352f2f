import type { RequestObserver } from "./name-errors.ts";
import type { LlmPending } from "./openai-types.ts";

/** A stream of the client. All its public ways of reading use `iterator`. */
interface AnswerStream {
  iterator: () => AsyncIterator<unknown>;
}

/** The methods by which all ways of reading an answer read it; `parse` is private. */
interface PendingParts<Answer> {
  parse: () => Promise<Answer>;
  asResponse: () => Promise<Response>;
  _thenUnwrap: (transform: (answer: Answer) => unknown) => object;
}

/**
 * Sends a request and reports its answer to the observer. The answer is unchanged: a promise with `withResponse` and
 * `asResponse`, and a stream that can be split, cancelled or made a `ReadableStream`. The body is read only if the
 * author reads it.
 */
export function observeRequest<Answer>(
  call: RequestObserver,
  options: unknown,
  send: () => LlmPending<Answer>,
): LlmPending<Answer> {
  // The client's resources pass the options directly; a caller may pass a promise of them.
  if (options instanceof Promise) options.then((given) => call.asked(bodyOf(given))).catch(() => {});
  else call.asked(bodyOf(options));
  const pending = call.run(send);
  const { arrived } = call;
  // Without telemetry nothing waits for the answer, so that the error of a forgotten request is still unhandled.
  if (arrived !== undefined) pending.asResponse().then(arrived, (error: unknown) => call.failed(error));
  watchFailures(pending as unknown as PendingParts<Answer>, (error) => call.failed(error));
  return pending._thenUnwrap((answer) => {
    if (isStream(answer)) observeStream(answer, call);
    else call.answered(answer);
    return answer;
  });
}

/** Calls `failed` before a reader gets the error, also for the promises that the client derives from this one. */
function watchFailures<Answer>(pending: PendingParts<Answer>, failed: (error: unknown) => void): void {
  const parse = pending.parse.bind(pending);
  const asResponse = pending.asResponse.bind(pending);
  const unwrap = pending._thenUnwrap.bind(pending);
  const fail = (error: unknown): never => {
    failed(error);
    throw error;
  };
  pending.parse = () => parse().catch(fail);
  pending.asResponse = () => asResponse().catch(fail);
  pending._thenUnwrap = (transform) => {
    const derived = unwrap(transform);
    watchFailures(derived as PendingParts<unknown>, failed);
    return derived;
  };
}

function bodyOf(options: unknown): unknown {
  return typeof options === "object" && options !== null && "body" in options ? options.body : undefined;
}

function isStream(answer: unknown): answer is AnswerStream {
  return typeof answer === "object" && answer !== null && "iterator" in answer && Symbol.asyncIterator in answer;
}

function observeStream(stream: AnswerStream, call: RequestObserver): void {
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
