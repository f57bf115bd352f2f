import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatAge, formatDuration } from "../base/format.ts";
import { bareId, shortId } from "../base/ids.ts";
import { typed } from "../base/typed.ts";
import { linkTo } from "../base/route.ts";
import { useStore } from "../base/use-store.ts";
import { useNow } from "../base/use-now.ts";
import { jobStates, type JobInfo } from "../client/job-info.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Dim, Failure, Notice } from "../parts/notice.tsx";
import { Select } from "../parts/select.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { useSession } from "../client/session.ts";
import { useJobList } from "./job-list.ts";
import { Page } from "../parts/card.tsx";

const rowHeight = 56;

/** The live list of jobs, with filters. */
export function JobsPage(): VNode {
  const { backend, services } = useSession();
  const [state, setState] = useState("");
  const [of, setOf] = useState("");
  const [find, setFind] = useState("");
  const epoch = useStore(backend.client.epoch);
  const list = useJobList(backend, { state, of, find }, epoch);
  const now = useNow(1000);
  const names =
    backend.kind === "platform"
      ? services.map(({ key, name }) => [key, name] as const)
      : services.flatMap(({ tools }) => tools.map(({ name }) => [name, name] as const));
  return (
    <Page>
      <div class="head">
        <h1>Jobs</h1>
        <Select
          label="State"
          value={state}
          options={[["", "all"], ...jobStates.map((name) => [name, name] as const)]}
          give={setState}
        />
        <Select
          label={backend.kind === "platform" ? "Service" : "Tool"}
          value={of}
          options={[["", "all"], ...names]}
          give={setOf}
        />
        <input
          type="search"
          aria-label="Job or trace id"
          placeholder="Job or trace id"
          value={find}
          onInput={typed((text) => setFind(bareId(text.trim())))}
        />
        {backend.kind === "platform" && <a href="#/dead-letters">Dead letters</a>}
      </div>
      {list.failure !== undefined && <Failure>{list.failure}</Failure>}
      {list.items.length === 0 ? (
        <Notice>
          {list.isLoading ? "Loading…" : state + of + find === "" ? emptyText(backend.kind) : "No job is like this."}
          {!list.isLoading &&
            state === "failed" &&
            " A mistake of a tool, in contrast to one of its caller, is an error."}
        </Notice>
      ) : (
        <VirtualList
          label="Jobs, the latest first"
          items={list.items}
          rowHeight={rowHeight}
          keyOf={({ id }) => id}
          row={(job) => <JobRow job={job} now={now} />}
          onEnd={list.loadMore}
        />
      )}
    </Page>
  );
}

function emptyText(kind: "service" | "platform"): string {
  if (kind === "platform") return "There are no jobs.";
  return "There are no jobs yet. A service keeps those with a name, long ones, and those of this page.";
}

function JobRow({ job, now }: { readonly job: JobInfo; readonly now: number }): VNode {
  const { id, state, label, attempt, requestedAt, startedAt, endedAt, isDead, origin, cause, asked } = job;
  const time = requestedAt ?? startedAt;
  const took = startedAt === undefined ? undefined : (endedAt ?? now) - startedAt;
  const to = linkTo("jobs", bareId(id));
  const { places } = useSession();
  const box = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Its user comes back from its page, unless the focus is somewhere already.
    if (places.get("job") !== to || document.activeElement?.matches("h1, body") !== true) return;
    places.delete("job");
    box.current?.focus();
  }, []);
  return (
    <a class="job-row" href={to} ref={box}>
      <StateBadge state={state} />
      <span class="what">
        <span class="name">{label}</span>
        <span class="why" title={cause ?? asked}>
          {origin !== undefined && <span class="origin">{origin}</span>}
          {cause !== undefined && <span class={state}>{cause}</span>}
          {asked !== undefined && <code>{asked}</code>}
        </span>
      </span>
      <span class="mono dim id">{shortId(id)}</span>
      <span class="dim attempt">
        {attempt > 1 ? `attempt ${attempt}` : ""}
        {isDead ? " dead letter" : ""}
      </span>
      <span class="num">{took === undefined ? "" : formatDuration(Math.max(0, took))}</span>
      <When time={time} now={now} />
    </a>
  );
}

interface WhenProps {
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  readonly now: number;
}

/** Shows a time of day, with the date unless it is today, and its age. */
function When({ time, now }: WhenProps): VNode {
  if (time === undefined) return <span />;
  const at = new Date(time);
  const isToday = at.toDateString() === new Date(now).toDateString();
  return (
    <time class="when num" dateTime={at.toISOString()} title={at.toISOString()}>
      <span>{isToday ? at.toLocaleTimeString() : at.toLocaleString()}</span>
      <Dim>{formatAge(time, now)}</Dim>
    </time>
  );
}
