import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../base/format.ts";
import { bareId } from "../base/ids.ts";
import { newJobId, newTraceparent } from "../base/new-ids.ts";
import { linkTo } from "../base/route.ts";
import { useStore } from "../base/use-store.ts";
import type { ViewProps } from "../base/use-view.ts";
import { ResultView } from "../call/result-view.tsx";
import { StepsView } from "../call/shown-steps.ts";
import { hasEnded, type JobInfo } from "../client/job-info.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Dim, Failure, Notice, Remark } from "../parts/notice.tsx";
import { draftKey, useSession } from "../client/session.ts";
import { useHistory, useJob } from "./follow-job.ts";
import { Identities } from "./identities.tsx";
import { timelineOf } from "./timeline.ts";
import { errorText } from "../base/use-loaded.ts";
import { Card, Page, Columns } from "../parts/card.tsx";
import { asRecord, asText, recordsIn, textIn, toJson } from "../base/json.ts";
import { problemsOf } from "../call/problems.ts";
import { NotesView, useNotes, withCause, withHidden } from "../call/notes.ts";
import { messageOf } from "../client/client.ts";
import { later } from "../parts/later.tsx";
import { useRequest } from "./use-request.ts";

const RequestCard = later(async () => (await import("./request-card.tsx")).RequestCard);
const LiveState = later(async () => (await import("../call/live-state.tsx")).LiveState);
const EventsView = later(async () => (await import("./events-view.tsx")).EventsView);

const MessageForms = later(async () => (await import("./message-forms.tsx")).MessageForms);

const asked = "The job was asked to stop.";
/** Reasons why a job may not be found. */
const gone = {
  platform: "Ended jobs are kept for 14 days.",
  service:
    "Ended jobs are kept for an hour, or the seconds in jobCacheTtl of the tool. Without TENON_STORE, none outlasts a restart.",
};

/** Milliseconds within which two clicks are one. */
const doubleClick = 500;

/** Shows one job: its state, its steps on a timeline, request, result, events, and its identifiers. */
export function JobPage({ route: [given = ""] }: ViewProps): VNode {
  const id = bareId(given);
  const { backend, calls, drafts, places } = useSession();
  places.set("job", linkTo("jobs", id));
  const [turn, setTurn] = useState(0);
  const [said, setSaid] = useState("");
  const epoch = useStore(backend.client.epoch);
  const { job, events, answer, isLoading, failure } = useJob(backend, id, turn + epoch);
  const history = useHistory(backend, id, job);
  const notes = useNotes(id, job?.state, job !== undefined && !hasEnded(job.state));
  const call = useRequest(id, job);
  if (job === undefined) {
    return (
      <Page>
        <h1>Job</h1>
        {isLoading ? <Notice>Loading…</Notice> : <Failure>{failure ?? "There is no such job."}</Failure>}
        {!isLoading && failure === undefined && <Remark>{gone[backend.kind]}</Remark>}
      </Page>
    );
  }
  const { body } = call ?? {};
  const steps = timelineOf(job, withHidden(events, notes), recordsIn(notes, "calls"), history);
  const isOver = hasEnded(job.state);
  const news = isOver && said === asked ? "" : said;
  /** Starts a job, once for a double click: the second click may fall on the page of the new job. */
  const startOnce = async (start: () => Promise<string>): Promise<void> => {
    if (places.has("again")) return;
    places.set("again", id);
    try {
      location.hash = linkTo("jobs", await start());
    } finally {
      setTimeout(() => places.delete("again"), doubleClick);
    }
  };
  const runAgain = async (): Promise<string> => {
    if (call === undefined || body === undefined) return id;
    const next = { ...call, body, jobId: newJobId(), traceparent: newTraceparent() };
    const { jobId, answer } = await backend.start(next);
    // A refused call has no job, in contrast to one that has failed.
    if (answer !== undefined && answer.status >= 400 && (await backend.job(jobId)) === undefined)
      throw new Error(messageOf(answer.text ?? "") ?? `The service answered ${answer.status}.`);
    calls.set(jobId, { ...next, jobId });
    return jobId;
  };
  const { place, link } = asRecord(notes?.["source"]);
  const tool = call?.tool.whole;
  const waits = recordsIn(tool, "waits");
  const fork = async (from: string): Promise<string> => {
    const made = asRecord(await backend.client.json(`/jobs/${id}/fork`, post({ from })));
    return bareId(String(made["job-id"]));
  };
  const act = (action: () => Promise<unknown>, done: string): void => {
    action().then(
      () => {
        setSaid(done);
        setTurn((last) => last + 1);
      },
      (error: unknown) => setSaid(errorText(error)),
    );
  };
  return (
    <Page>
      <header class="head">
        <a class="back always" href="#/jobs">
          ‹ Jobs
        </a>
        <h1>{job.label}</h1>
        <StateBadge state={job.state} />
        <Times job={job} />
        {place !== undefined && <a href={asText(link) ?? ""}>{asText(place)}</a>}
        <span class="actions">
          {!isOver && (
            <button type="button" onClick={() => act(() => backend.cancel(id), asked)}>
              Cancel
            </button>
          )}
          {job.isDead && (
            <button
              type="button"
              onClick={() => act(() => backend.client.json(`/jobs/${id}/redrive`, post()), "The job waits again.")}
            >
              Redrive
            </button>
          )}
          {body !== undefined && (
            <button type="button" onClick={() => act(() => startOnce(runAgain), "")}>
              Run again
            </button>
          )}
          {call !== undefined && body !== undefined && (
            <a
              class="button"
              href={linkTo("tools", call.service.key, call.tool.name)}
              onClick={() => drafts.set(draftKey(call.service.key, call.tool.name), body)}
            >
              Edit and run again
            </a>
          )}
        </span>
      </header>
      <p class={news === "" ? "unseen" : "dim"} role="status">
        {news}
      </p>
      <Card title="Timeline">
        {steps.length > 0 ? (
          <StepsView
            steps={steps}
            from={Math.min(...steps.map((step) => step.from))}
            to={job.endedAt}
            again={isOver ? (from) => act(() => startOnce(() => fork(from)), "") : undefined}
          />
        ) : (
          <Remark>{isOver ? "It never began." : <LiveState job={id} />}</Remark>
        )}
      </Card>
      {!isOver && waits.length > 0 && <MessageForms job={id} waits={waits} />}
      <Columns>
        <Card title={answer !== undefined && answer.status >= 400 ? "Error" : "Result"}>
          {answer === undefined ? (
            <Remark>{isOver ? "…" : "There is none yet."}</Remark>
          ) : (
            <ResultView answer={withCause(answer, notes)} schema={call?.tool.result} />
          )}
          {notes && <NotesView notes={notes} />}
        </Card>
        <RequestCard
          id={id}
          job={job}
          call={call}
          noted={textIn(notes, "request")}
          isValid={problemsOf(answer).size === 0}
        />
      </Columns>
      <Identities id={id} job={job} />
      <EventsView events={events} />
    </Page>
  );
}

function post(value?: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: toJson(value) };
}

function Times({ job }: { readonly job: JobInfo }): VNode {
  const { requestedAt, startedAt, endedAt, attempt, origin, attempts } = job;
  const span = (what: string, from?: number, to?: number): string =>
    from === undefined || to === undefined || to - from < 1 ? "" : ` · ${what} ${formatDuration(to - from)}`;
  // A parked job waits outside of its attempts.
  const ran = attempts.reduce((sum, one) => sum + (one.endedAt ?? NaN) - (one.startedAt ?? NaN), 0);
  const began = attempts[0]?.startedAt ?? startedAt;
  return (
    <Dim>
      {requestedAt !== undefined &&
        new Date(requestedAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" })}
      {span("waited", requestedAt, began)}
      {attempts.length > 1 ? endedAt !== undefined && span("ran", 0, ran) : span("ran", startedAt, endedAt)}
      {attempt > 1 && ` · attempt ${attempt}`}
      {origin !== undefined && ` · by ${origin}`}
    </Dim>
  );
}
