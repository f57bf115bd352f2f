import { collect } from "../base/collect.ts";
import { newJobId, newTraceparent } from "../base/new-ids.ts";
import { createStore, type Store } from "../base/store.ts";
import { errorText } from "../base/use-loaded.ts";
import type { Backend, JobEvent } from "./backend.ts";
import type { Answer, Call } from "./calls.ts";

/** The state of a call that this page has made. */
export interface CallState {
  readonly call: Call;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds from the call to its answer. */
  readonly took?: number;
  readonly events: readonly JobEvent[];
  /** True after the service has accepted a job that takes longer: from then on, it knows the state of the job. */
  readonly isAccepted?: boolean;
  readonly answer?: Answer;
  /** Reason why there is no answer. */
  readonly failure?: string;
}

/** A call that goes on, and keeps its answer, while the page shows something else. */
export interface MadeCall {
  readonly state: Store<CallState>;
  /** Answer of the tool before this one. */
  readonly before: Answer | undefined;
  /**
   * Follows the job to its end; nothing more happens if it has been followed to there. Returns a function that stops
   * following: browsers open few streams of events at a time.
   */
  follow(): () => void;
}

/** Starts a call. `calls`: gets the call; `last`: the call of the tool before this one. */
export function makeCall(
  { backend, calls }: { readonly backend: Backend; readonly calls: Map<string, Call> },
  what: Pick<Call, "service" | "tool" | "body">,
  last: MadeCall | undefined,
): MadeCall {
  let call: Call = { ...what, jobId: newJobId(), traceparent: newTraceparent() };
  const began = performance.now();
  const state = createStore<CallState>({ call, startedAt: Date.now(), events: [] });
  const change = (news: Partial<CallState>): void => state.set({ ...state.get(), ...news });
  const conclude = (news: Partial<CallState>): void => change({ ...news, took: performance.now() - began });
  calls.set(call.jobId, call);
  const started = backend.start(call).then(({ jobId, answer }) => {
    // Its request has replaced that of the job which it has joined.
    if (jobId !== call.jobId) calls.set(jobId, (call = { ...call, jobId }));
    if (answer === undefined) change({ call, isAccepted: true });
    else conclude({ call, answer });
    return answer;
  });
  const follow = async (signal: AbortSignal): Promise<void> => {
    const ended = await started;
    signal.throwIfAborted();
    if (ended !== undefined && ended.status >= 400 && ended.status < 500) return;
    await collect(backend.events(call.jobId, 0, signal), (events) => change({ events }));
    signal.throwIfAborted();
    if (ended !== undefined) return;
    const elapsed = performance.now() - began;
    const answer = await backend.output(call.jobId);
    const { startedAt, events } = state.get();
    // Only the service knows when a job ended while the page looked elsewhere; its clock may differ.
    const end = wasAway ? events.at(-1)?.at : undefined;
    change({ answer, took: end === undefined ? elapsed : Math.min(elapsed, Math.max(0, end - startedAt)) });
  };
  let [isOver, wasAway] = [false, false];
  return {
    state,
    before: last?.state.get().answer ?? last?.before,
    follow() {
      const stopping = new AbortController();
      const { signal } = stopping;
      if (!isOver)
        follow(signal).then(
          () => (isOver = true),
          (error: unknown) => {
            if (signal.aborted) return;
            isOver = true;
            conclude({ failure: errorText(error) });
          },
        );
      return () => {
        wasAway = true;
        stopping.abort();
      };
    },
  };
}
