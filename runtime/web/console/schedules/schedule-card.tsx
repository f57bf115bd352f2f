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
  const { service, tool, name, cron, zone, isPaused, next, last, whole } = schedule;
  const now = useNow(1000);
  const request = whole["request"] === undefined ? "" : toJson(whole["request"]);
  return (
    <Card title={name}>
      <div class="line schedule">
        <code>{cron}</code> <Dim>{zone}</Dim>
        <span class={`badge ${isPaused ? "pending" : "succeeded"}`}>{isPaused ? "paused" : "active"}</span>
        <span class="actions">
          <a class="button" href={linkTo("tools", service, tool, request)}>
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
          ...(request === "" ? [] : [["Request", <code>{request}</code>] as const]),
          ...Object.entries(sentences).flatMap(([key, { label, of }]) =>
            whole[key] === undefined ? [] : [[label, of[String(whole[key])] ?? String(whole[key])] as const],
          ),
          ...(whole["jitter"] === undefined
            ? []
            : [["Delay", `a random one of up to ${formatDuration(Number(whole["jitter"]) * 1000)}`] as const]),
        ]}
      />
      <History schedule={schedule} now={now} />
    </Card>
  );
}

/** Sentences for the settings of a schedule, by their values. */
const sentences: Readonly<Record<string, { readonly label: string; readonly of: Readonly<Record<string, string>> }>> = {
  missed: {
    label: "When missed",
    of: {
      one: "The last firing is made up for, if it is at most a day old.",
      skip: "Firings that are more than a minute late are left out.",
      all: "All firings are made up for, the last hundred at most.",
    },
  },
  overlap: {
    label: "While its job before goes on",
    of: {
      skip: "A firing is left out.",
      queue: "The next job waits for its end.",
      cancel: "The job before is cancelled.",
      allow: "Both jobs run.",
    },
  },
};

/** Formats the time until a firing in its two largest units: `1 d 20 h`. */
function formatSpan(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 1) return formatAge(0, ms);
  if (hours < 24) return `${hours} h ${Math.floor(ms / 60_000) % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
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
      <Dim>{isNext ? `in ${formatSpan(Math.max(0, at - now))}` : `${formatAge(at, now)} ago`}</Dim>
    </>
  );
}

interface ClockProps {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly zone: string;
  /** Length of the date; `long` has the day of the week. Both name the zone. */
  readonly style: "medium" | "long";
}

function Clock({ at, zone, style }: ClockProps): VNode {
  const time = new Date(at);
  const dateStyle = style === "long" ? "full" : "medium";
  return (
    <time dateTime={time.toISOString()} title={time.toISOString()}>
      {time.toLocaleString(undefined, { dateStyle, timeStyle: "long", timeZone: zone })}
    </time>
  );
}

/** Milliseconds between two polls of the jobs. */
const every = 3000;

function History({ schedule, now }: { readonly schedule: Schedule; readonly now: number }): VNode {
  const { backend } = useSession();
  const { value: jobs = [] } = useLoaded(() => jobsOf(backend, schedule), [schedule.lastJob, schedule.last], every);
  const [some, more] = usePortion(jobs, 5, `jobs of ${schedule.name}`);
  if (jobs.length === 0) return <Remark>No job of it is kept.</Remark>;
  return (
    <ol class="firings" aria-label={`Jobs of ${schedule.name}`}>
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
