import { asText } from "../base/json.ts";
import { stepsOf, type Step } from "../call/steps.ts";
import type { JobEvent } from "../client/backend.ts";
import { hasEnded, type Attempt, type JobInfo } from "../client/job-info.ts";

/**
 * The attempts of a job as rows of a timeline, each followed by its steps, outbound requests and spans.
 *
 * @param notes Requests and spans as `tenon dev` noted them
 */
export function timelineOf(
  job: JobInfo,
  events: readonly JobEvent[],
  notes: readonly Readonly<Record<string, unknown>>[],
): readonly Step[] {
  const rows: Step[] = [];
  const calls = notes.map(callOf);
  const attempts = job.attempts.length > 0 ? job.attempts : onlyAttempt(job);
  let from = 0;
  for (const one of attempts) {
    const { attempt, state, startedAt = 0, endedAt, worker, detail, lastEvent } = one;
    const isLast = one === attempts.at(-1) && !/^(?:lost|released|parked)$/.test(state);
    const until = isLast ? Infinity : lastEvent || from;
    const own = events.filter(({ number }) => number > from && number <= until);
    const steps = stepsOf(own, job.state === "cancelled" ? job.cause : undefined);
    const later = attempts[attempts.indexOf(one) + 1]?.startedAt ?? Infinity;
    const made = calls.filter((call) => call.from >= startedAt && call.from < later);
    from = until;
    const how = state === "lost" ? `lost: ${detail ?? "its lease expired"}` : state;
    rows.push({
      name: `Attempt ${attempt}`,
      kind: "attempt",
      depth: 0,
      from: startedAt,
      to: endedAt,
      state: stateOf(state),
      message: worker === undefined ? how : `${how} · ${worker}`,
    });
    for (const step of withCalls(steps, made)) {
      const isCut = step.to === undefined && endedAt !== undefined;
      rows.push({ ...step, depth: step.depth + 1, ...(isCut && { to: endedAt, state: "stopped" }) });
    }
  }
  return rows;
}

function stateOf(attempt: string): Step["state"] {
  if (!hasEnded(attempt)) return "running";
  return /^succ|^park/.test(attempt) ? "done" : attempt === "cancelled" ? "stopped" : "failed";
}

/** Orders steps and calls by their start; each call is placed below the step that contains it. */
function withCalls(steps: readonly Step[], calls: readonly Step[]): readonly Step[] {
  const placed = calls.map((call) => ({
    ...call,
    depth: steps.filter(({ from, to = Infinity }) => from <= call.from && call.from <= to).length,
  }));
  return [...steps, ...placed].toSorted((one, other) => one.from - other.from);
}

function callOf({ kind, name, from, took, status, error }: Readonly<Record<string, unknown>>): Step {
  const [method = "", address = ""] = kind === "span" ? [] : (asText(name) ?? "").split(" ");
  const isOver = typeof took === "number";
  const isBad = error !== undefined || Number(status) >= 400;
  return {
    name: address === "" ? (asText(name) ?? "") : `${method} ${URL.parse(address)?.host ?? ""}`,
    kind: kind === "span" ? "span" : "request",
    depth: 0,
    from: Number(from),
    to: isOver ? Number(from) + took : undefined,
    state: isBad ? "failed" : isOver ? "done" : "running",
    message: [status, error, address].filter(Boolean).join(" · "),
  };
}

/** Makes a single attempt for a job whose attempts are not recorded. */
function onlyAttempt({ state, startedAt, endedAt }: JobInfo): readonly Attempt[] {
  if (startedAt === undefined) return [];
  return [{ attempt: 1, state, startedAt, endedAt, lastEvent: Number.NaN }];
}
