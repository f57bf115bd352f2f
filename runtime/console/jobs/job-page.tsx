import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../base/format.ts";
import { linkTo } from "../base/route.ts";
import { useStore } from "../base/store.ts";
import { ResultView } from "../call/result-view.tsx";
import { stepsOf } from "../call/steps.ts";
import { StepsView } from "../call/steps-view.tsx";
import { hasEnded } from "../client/job-info.ts";
import type { JobInfo } from "../client/job-info.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Dim, Failure, Notice } from "../parts/notice.tsx";
import { draftKey, useSession } from "../client/session.ts";
import { EventsView } from "./events-view.tsx";
import { useJob } from "./follow-job.ts";
import { Identities } from "./identities.tsx";
import { errorText } from "../base/error-text.ts";
import { Card, Page, Columns } from "../parts/card.tsx";

/** One job: its state, its steps on a timeline, request, result, events, and its names on every front. */
export function JobPage({ id }: { readonly id: string }): VNode {
  const { backend, calls, drafts } = useSession();
  const [turn, setTurn] = useState(0);
  const [said, setSaid] = useState("");
  const epoch = useStore(backend.client.epoch);
  const { job, events, answer, isLoading, failure } = useJob(backend, id, turn + epoch);
  if (job === undefined) {
    return (
      <Page>{isLoading ? <Notice>Loading…</Notice> : <Failure>{failure ?? "There is no such job."}</Failure>}</Page>
    );
  }
  const call = calls.get(id);
  const steps = stepsOf(events);
  const from = job.startedAt ?? job.requestedAt ?? events[0]?.at ?? 0;
  const isOver = hasEnded(job.state);
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
        <span class="actions">
          {isOver ? undefined : (
            <button type="button" onClick={() => act(() => backend.cancel(id), "The job was asked to stop.")}>
              Cancel
            </button>
          )}
          {job.isDead && (
            <button
              type="button"
              onClick={() =>
                act(() => backend.client.json(`/jobs/${id}/redrive`, { method: "POST" }), "The job waits again.")
              }
            >
              Redrive
            </button>
          )}
          {call !== undefined && (
            <a
              class="button"
              href={linkTo("tools", ...(call.service.key === "" ? [] : [call.service.key]), call.tool.name)}
              onClick={() => drafts.set(draftKey(call.service.key, call.tool.name), call.body)}
            >
              Edit and call again
            </a>
          )}
        </span>
      </header>
      <p class="dim" role="status">
        {said}
      </p>
      {job.message !== undefined && <Failure>{job.message}</Failure>}
      <Columns>
        <Card title="Steps">
          {steps.length > 0 ? (
            <StepsView steps={steps} from={Math.min(from, steps[0]?.from ?? from)} to={job.endedAt} />
          ) : (
            <p class="dim">The tool has reported no steps.</p>
          )}
        </Card>
        <section class="card" aria-label="Result">
          <h2>{answer !== undefined && answer.status >= 400 ? "Error" : "Result"}</h2>
          {answer === undefined ? (
            <p class="dim">{isOver ? "…" : "There is none yet."}</p>
          ) : (
            <ResultView answer={answer} />
          )}
        </section>
      </Columns>
      <Columns>
        <Card title="Request">
          {call === undefined ? (
            <p class="dim">Only requests of this page are known.</p>
          ) : (
            <pre class="code">{call.body}</pre>
          )}
        </Card>
        <Identities id={id} job={job} call={call} />
      </Columns>
      <EventsView events={events} />
    </Page>
  );
}

function Times({ job: { requestedAt, startedAt, endedAt, attempt } }: { readonly job: JobInfo }): VNode {
  const span = (what: string, from?: number, to?: number): string =>
    from === undefined || to === undefined || to - from < 1 ? "" : ` · ${what} ${formatDuration(to - from)}`;
  return (
    <Dim>
      {requestedAt !== undefined && new Date(requestedAt).toLocaleString()}
      {span("waited", requestedAt, startedAt)}
      {span("ran", startedAt, endedAt)}
      {attempt > 1 && ` · attempt ${attempt}`}
    </Dim>
  );
}
