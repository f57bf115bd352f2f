import type { VNode } from "preact";
import { formatAge, formatDuration } from "../base/format.ts";
import { bareId } from "../base/ids.ts";
import { toJson } from "../base/json.ts";
import { linkTo } from "../base/route.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { useNow } from "../base/use-now.ts";
import { useSession } from "../client/session.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { Dim, Remark } from "../parts/notice.tsx";
import { usePortion } from "../parts/portion.tsx";
import { jobsOf, type Schedule } from "./schedule.ts";

interface ScheduleProps {
  readonly schedule: Schedule;
  /** Pauses the schedule, or resumes it. */
  readonly pause: (isPaused: boolean) => void;
}

/** Shows a schedule: its next firing, its request, and its jobs. */
export function ScheduleCard({ schedule, pause }: ScheduleProps): VNode {
  const { tool, number, cron, zone, isPaused, next, last, whole } = schedule;
  const now = useNow(1000);
  const name = `${tool} ${number}`;
  return (
    <Card title={name}>
      <div class="line schedule">
        <code>{cron}</code> <Dim>{zone}</Dim>
        <span class={`badge ${isPaused ? "pending" : "succeeded"}`}>{isPaused ? "paused" : "active"}</span>
        <span class="actions">
          <a class="button" href={linkTo("tools", tool)}>
            Open tool
          </a>
          <button
            type="button"
            aria-label={`${isPaused ? "Resume" : "Pause"} ${name}`}
            onClick={() => pause(!isPaused)}
          >
            {isPaused ? "Resume" : "Pause"}
          </button>
        </span>
      </div>
      <Facts
        rows={[
          [
            "Next",
            next === undefined ? "none while it is paused" : <Moment time={next} zone={zone} now={now} isNext={true} />,
          ],
          ["Last", last === undefined ? "none yet" : <Moment time={last} zone={zone} now={now} isNext={false} />],
          ...["request", "missed", "overlap", "jitter"]
            .filter((key) => whole[key] !== undefined)
            .map((key) => [key[0]?.toUpperCase() + key.slice(1), shown(key, whole[key])] as const),
        ]}
      />
      <History schedule={schedule} now={now} />
    </Card>
  );
}

function shown(key: string, value: unknown): VNode | string {
  if (key === "request") return <code>{toJson(value)}</code>;
  return key === "jitter" ? `up to ${formatDuration(Number(value) * 1000)}` : String(value);
}

interface MomentProps {
  readonly time: string;
  readonly zone: string;
  readonly now: number;
  readonly isNext: boolean;
}

/** Shows a time in the schedule's zone, and how far away it is. */
function Moment({ time, zone, now, isNext }: MomentProps): VNode {
  const at = Date.parse(time);
  return (
    <>
      <Clock at={at} zone={zone} style="long" />{" "}
      <Dim>{isNext ? `in ${formatAge(now, at)}` : `${formatAge(at, now)} ago`}</Dim>
    </>
  );
}

interface ClockProps {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly zone: string;
  /** Length of the time; `long` names the zone, and the day of the week. */
  readonly style: "medium" | "long";
}

function Clock({ at, zone, style }: ClockProps): VNode {
  const time = new Date(at);
  const dateStyle = style === "long" ? "full" : "medium";
  return (
    <time dateTime={time.toISOString()} title={time.toISOString()}>
      {time.toLocaleString(undefined, { dateStyle, timeStyle: style, timeZone: zone })}
    </time>
  );
}

/** Milliseconds between two polls of the jobs. */
const every = 3000;

function History({ schedule, now }: { readonly schedule: Schedule; readonly now: number }): VNode {
  const { backend } = useSession();
  const { value: jobs = [] } = useLoaded(() => jobsOf(backend, schedule), [schedule.lastJob, schedule.last], every);
  const [some, more] = usePortion(jobs, 5, "jobs");
  if (jobs.length === 0) return <Remark>No job of it is kept.</Remark>;
  return (
    <ol class="firings" aria-label={`Jobs of ${schedule.tool} ${schedule.number}`}>
      {some.map(({ id, state, requestedAt, startedAt, endedAt }) => (
        <li>
          <a href={linkTo("jobs", bareId(id))}>
            <StateBadge state={state} />
            {requestedAt !== undefined && <Clock at={requestedAt} zone={schedule.zone} style="medium" />}
            <span class="num">
              {startedAt === undefined ? "" : formatDuration(Math.max(0, (endedAt ?? now) - startedAt))}
            </span>
            <span class="num dim">{requestedAt === undefined ? "" : `${formatAge(requestedAt, now)} ago`}</span>
          </a>
        </li>
      ))}
      <li>{more}</li>
    </ol>
  );
}
