import { asText, recordsIn } from "../base/json.ts";
import { stepsOf, type Step } from "../call/steps.ts";
import type { JobEvent } from "../client/backend.ts";
import { hasEnded, type Attempt, type JobInfo } from "../client/job-info.ts";
import { keptRows } from "./kept-rows.ts";
import { rowsBelow, type Placed } from "./rows-below.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Maximum characters of a request's path in a row; of a longer one the end is shown. */
const longestPath = 36;

/**
 * The attempts of a job as rows of a timeline, each followed by its steps, sleeps, waits, messages, outbound requests
 * and spans.
 *
 * @param notes Requests and spans as `tenon dev` noted them
 * @param history Times of the job's stored steps, sleeps and waits, and the messages that it was sent
 */
export function timelineOf(
  job: JobInfo,
  events: readonly JobEvent[],
  notes: readonly Fields[],
  history?: Fields,
): readonly Step[] {
  const rows: Step[] = [];
  const beside = [...callRows(notes), ...keptRows(history)];
  // A job runs again from a stored step, and from the first one of several tries.
  const starts = new Set(recordsIn(history, "steps").map(({ step }) => step));
  const attempts = job.attempts.length > 0 ? job.attempts : onlyAttempt(job);
  let from = 0;
  for (const [index, one] of attempts.entries()) {
    const { attempt, state, startedAt = 0, endedAt, worker, detail, lastEvent } = one;
    const isLast = one === attempts.at(-1) && !/^(?:lost|released|parked)$/.test(state);
    const until = isLast ? Infinity : lastEvent || from;
    const own = events.filter(({ number }) => number > from && number <= until);
    const begin = index === 0 ? -Infinity : startedAt;
    const next = attempts[index + 1]?.startedAt ?? Infinity;
    // A message that wakes the job comes before the attempt that it starts.
    const made = beside.filter(({ row }) =>
      row.kind === "message" ? row.from > begin && row.from <= next : row.from >= begin && row.from < next,
    );
    from = until;
    const how = state === "lost" ? `lost: ${detail ?? "its lease expired"}` : state;
    const part = attempts.slice(0, index + 1).filter((other) => other.attempt === attempt).length;
    rows.push({
      name: `Attempt ${attempt}${part > 1 ? `, part ${part}` : ""}`,
      kind: "attempt",
      depth: 0,
      from: startedAt,
      to: endedAt,
      state: stateOf(state),
      message: worker === undefined ? how : `${how} · ${worker}`,
    });
    const steps = stepsOf(own, job.state === "cancelled" ? job.cause : undefined).map((step): Step => {
      const isCut = step.to === undefined && endedAt !== undefined;
      return { ...step, isStart: starts.delete(step.key), ...(isCut && { to: endedAt, state: "stopped" }) };
    });
    for (const row of rowsBelow(steps, made)) rows.push({ ...row, depth: row.depth + 1 });
  }
  return rows;
}

function stateOf(attempt: string): Step["state"] {
  if (!hasEnded(attempt)) return attempt === "pending" ? "waiting" : "running";
  return /^succ|^park/.test(attempt) ? "done" : attempt === "cancelled" ? "stopped" : "failed";
}

/** Rows of outbound requests and spans. A request has its host if the one before it has another. */
function callRows(notes: readonly Fields[]): readonly Placed[] {
  let host = "";
  return notes.map(({ kind, name, from, took, status, error, id, span, step }): Placed => {
    const text = asText(name) ?? "";
    const [method = "", address = ""] = kind === "span" ? [] : text.split(" ");
    const url = URL.parse(address);
    const path = url === null ? address : address.slice(url.origin.length);
    const isWhole = url === null || (url.host === host && path.length <= longestPath);
    host = url?.host ?? host;
    const isOver = typeof took === "number";
    const isBad = error !== undefined || Number(status) >= 400;
    const label = [status, method, path.length > longestPath ? `…${path.slice(1 - longestPath)}` : path];
    return {
      row: {
        name: address === "" ? text : label.filter(Boolean).join(" "),
        kind: kind === "span" ? "span" : "request",
        title: text,
        depth: 0,
        from: Number(from),
        to: isOver ? Number(from) + took : undefined,
        state: isBad ? "failed" : isOver ? "done" : "running",
        message: [error, !isWhole && address].filter(Boolean).join(" · "),
      },
      id: asText(id),
      span: asText(span),
      step: typeof step === "number" ? step : undefined,
    };
  });
}

/** Makes a single attempt for a job whose attempts are not recorded. */
function onlyAttempt({ state, startedAt, endedAt }: JobInfo): readonly Attempt[] {
  if (startedAt === undefined) return [];
  return [{ attempt: 1, state, startedAt, endedAt, lastEvent: Number.NaN }];
}
