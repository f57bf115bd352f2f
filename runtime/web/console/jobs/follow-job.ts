import { useEffect, useState } from "preact/hooks";
import type { Backend, JobEvent } from "../client/backend.ts";
import type { Answer } from "../client/calls.ts";
import { hasEnded, type JobInfo } from "../client/job-info.ts";
import { collect } from "../base/collect.ts";
import { asRecord } from "../base/json.ts";
import { errorText, useLoaded } from "../base/use-loaded.ts";

/** State of a job that is followed. */
export interface FollowedJob {
  /** The job; undefined if it is unknown, or not loaded yet. */
  readonly job?: JobInfo | undefined;
  readonly events: readonly JobEvent[];
  readonly answer?: Answer;
  readonly isLoading: boolean;
  readonly failure?: string;
}

const nothing: FollowedJob = { events: [], isLoading: true };

/** Milliseconds between two polls of a job that has not ended, since its events do not report lost attempts. */
const every = 1500;

/** Follows a job to its end. Following restarts when `turn` changes. */
export function useJob(backend: Backend, id: string, turn: number): FollowedJob {
  const [state, setState] = useState<FollowedJob>(nothing);
  useEffect(() => setState(nothing), [backend, id]);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const change = (news: Partial<FollowedJob>): void => {
      if (!signal.aborted) setState((last) => ({ ...last, ...news }));
    };
    const follow = async (): Promise<void> => {
      const job = await backend.job(id);
      change({ job, isLoading: false });
      if (job === undefined) return;
      const looking = setInterval(async () => {
        const seen = document.hidden ? undefined : await backend.job(id).catch(() => undefined);
        if (seen !== undefined && !hasEnded(seen.state)) change({ job: seen });
      }, every);
      const stopLooking = (): void => clearInterval(looking);
      signal.addEventListener("abort", stopLooking);
      await collect(backend.events(id, 0, signal), (events) => change({ events }));
      stopLooking();
      const ended = await backend.job(id);
      change({ job: ended });
      if (ended !== undefined && hasEnded(ended.state)) change({ answer: await backend.output(id) });
    };
    // Keeps the page of the same job, and what was filled into its forms, while the job is read again.
    setState(({ job, events }) => ({ job, events, isLoading: true }));
    follow().catch((error: unknown) => {
      change({ isLoading: false, failure: errorText(error) });
    });
    return () => stopping.abort();
  }, [backend, id, turn]);
  return state;
}

/** Milliseconds between two polls of the times of a job that has not ended. */
const everyTimes = 3000;

/**
 * Loads the times of a job's stored steps and waits, and its messages; undefined until they are loaded, and for a
 * service that does not have them.
 */
export function useHistory(
  { client }: Backend,
  id: string,
  job: JobInfo | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const { state, attempts = [] } = job ?? {};
  const load = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
    if (state === undefined) return undefined;
    const response = await client.send(`/jobs/${id}/history?with-values=false`);
    return response.ok ? asRecord(await response.json()) : undefined;
  };
  return useLoaded(load, [id, state, attempts.length], hasEnded(state) ? undefined : everyTimes).value;
}
