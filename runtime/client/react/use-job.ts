import { useEffect, useState } from "react";
import type { CallFailure } from "../call-error.ts";
import { failureOf } from "./failure-of.ts";
import type { JobHandle } from "../tool-client.ts";
import type { JobEvent } from "../transport.ts";

/** A job, as far as it has come. */
export interface JobState<Result> {
  /** All events so far. */
  readonly events: readonly JobEvent[];
  readonly value: Result | undefined;
  /** Reason why the job failed. */
  readonly error: CallFailure | undefined;
  readonly isRunning: boolean;
}

/**
 * Follows a job until its end, or until the component is gone; the job goes on without it. `service.tool.job(id)` gives
 * the handle again after the page was loaded anew. The same id is the same job.
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
    // Each rendering makes a new handle; equal ids mean the same job.
  }, [id]);
  return state;
}

const none = { events: [], value: undefined, error: undefined, isRunning: false };
