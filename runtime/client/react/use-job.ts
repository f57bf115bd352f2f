import { useEffect, useState } from "react";
import { type CallFailure, isCallError, unexpected } from "../call-error.ts";
import type { JobHandle } from "../tool-client.ts";
import type { JobEvent } from "../transport.ts";

/** State of a job. */
export interface JobState<Result> {
  /** All events received so far. */
  readonly events: readonly JobEvent[];
  readonly value: Result | undefined;
  /** Reason why the job failed. */
  readonly error: CallFailure | undefined;
  readonly isRunning: boolean;
}

/**
 * Follows a job until its end, or until the component is unmounted; the job continues without the component. After a
 * reload of the page, `service.tool.job(id)` returns the handle again. The same id means the same job.
 */
export function useJob<Result>(job: JobHandle<Result> | undefined): JobState<Result> {
  const [state, setState] = useState<JobState<Result>>(none);
  const id = job?.id;
  useEffect(() => {
    if (job === undefined) {
      setState(none);
      return undefined;
    }
    const stop = new AbortController();
    const { signal } = stop;
    const change = (news: Partial<JobState<Result>>): void => {
      if (!signal.aborted) setState((state) => ({ ...state, ...news }));
    };
    setState({ ...none, isRunning: true });
    const follow = async (): Promise<void> => {
      for await (const event of job.events({ signal }))
        if (!signal.aborted) setState((state) => ({ ...state, events: [...state.events, event] }));
      change({ value: await job.result({ signal }), isRunning: false });
    };
    follow().catch((error: unknown) => change({ error: failureOf(error), isRunning: false }));
    return () => stop.abort();
    // The effect depends on the id only: each rendering makes a new handle, and equal ids mean the same job.
  }, [id]);
  return state;
}

const none = { events: [], value: undefined, error: undefined, isRunning: false };

/** Returns the failure that a component shows. A mistake in the program is wrapped as the cause of a failure. */
export function failureOf(error: unknown): CallFailure {
  if (isCallError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return unexpected(message, { cause: error }) as CallFailure;
}
