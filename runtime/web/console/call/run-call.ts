import { eachFrame } from "../base/each-frame.ts";
import { newJobId, newTraceparent } from "../base/ids.ts";
import type { Answer, Backend, Call, JobEvent } from "../client/backend.ts";
import { errorText } from "../base/use-loaded.ts";

/** The state of a call that this page has made. */
export interface CallState {
  readonly call: Call;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds from the call to its answer. */
  readonly took?: number;
  readonly events: readonly JobEvent[];
  readonly answer?: Answer;
  /** Reason why there is no answer. */
  readonly failure?: string;
}

/**
 * Starts a call and follows it to its end. `tell` is called with each change. Returns a function that stops following.
 */
export function runCall(
  backend: Backend,
  what: Pick<Call, "service" | "tool" | "body">,
  tell: (state: CallState) => void,
): () => void {
  const stopping = new AbortController();
  const call: Call = { ...what, jobId: newJobId(), traceparent: newTraceparent() };
  const began = performance.now();
  let state: CallState = { call, startedAt: Date.now(), events: [] };
  const change = (news: Partial<CallState>): void => {
    state = { ...state, ...news };
    if (!stopping.signal.aborted) tell(state);
  };
  const conclude = (answer: Answer): void => change({ answer, took: performance.now() - began });
  const follow = async (): Promise<void> => {
    const ended = await backend.start(call);
    if (ended !== undefined) {
      conclude(ended);
      if (ended.status >= 400 && ended.status < 500) return;
    }
    await eachFrame(backend.events(call.jobId, 0, stopping.signal), (events) => change({ events }));
    if (ended === undefined) conclude(await backend.output(call.jobId));
  };
  tell(state);
  follow().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    change({ failure: errorText(error), took: performance.now() - began });
  });
  return () => stopping.abort();
}
