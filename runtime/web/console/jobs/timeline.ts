import { stepsOf } from "../call/steps.ts";
import type { Step } from "../call/steps.ts";
import type { JobEvent } from "../client/job-event.ts";
import { hasEnded } from "../client/job-info.ts";
import type { Attempt, JobInfo } from "../client/job-info.ts";

/** The attempts of a job as rows of a timeline, each followed by its steps. */
export function timelineOf(job: JobInfo, events: readonly JobEvent[]): readonly Step[] {
  const rows: Step[] = [];
  const attempts = job.attempts.length > 0 ? job.attempts : onlyAttempt(job);
  let from = 0;
  for (const one of attempts) {
    const { attempt, state, startedAt = 0, endedAt, worker, detail, lastEvent } = one;
    const isLast = one === attempts.at(-1) && !/^(?:lost|released|parked)$/.test(state);
    const until = isLast ? Infinity : lastEvent || from;
    const steps = stepsOf(events.filter(({ number }) => number > from && number <= until));
    from = until;
    const how = state === "lost" ? `lost: ${detail ?? "its lease expired"}` : state;
    rows.push({
      name: `Attempt ${attempt}`,
      kind: "attempt",
      depth: 0,
      from: startedAt,
      to: endedAt,
      state: hasEnded(state) ? (/^succ|^park/.test(state) ? "done" : "failed") : "running",
      message: worker === undefined ? how : `${how} · ${worker}`,
    });
    for (const step of steps) {
      const isCut = step.to === undefined && endedAt !== undefined;
      rows.push({ ...step, depth: step.depth + 1, ...(isCut && { to: endedAt, state: "failed" }) });
    }
  }
  return rows;
}

/** Makes the only attempt of a job, if attempts are not recorded. */
function onlyAttempt({ state, startedAt, endedAt }: JobInfo): readonly Attempt[] {
  if (startedAt === undefined) return [];
  return [{ attempt: 1, state, startedAt, endedAt, lastEvent: Number.NaN }];
}
