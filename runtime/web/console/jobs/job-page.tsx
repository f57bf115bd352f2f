import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../base/format.ts";
import { bareId, newJobId, newTraceparent } from "../base/ids.ts";
import { linkTo } from "../base/route.ts";
import { useStore } from "../base/store.ts";
import { ResultView } from "../call/result-view.tsx";
import { StepsView } from "../call/steps-view.tsx";
import { hasEnded } from "../client/job-info.ts";
import type { JobInfo } from "../client/job-info.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Code } from "../parts/code.tsx";
import { Dim, Failure, Notice, Remark } from "../parts/notice.tsx";
import { draftKey, useSession } from "../client/session.ts";
import { useJob } from "./follow-job.ts";
import { Identities } from "./identities.tsx";
import { timelineOf } from "./timeline.ts";
import { errorText } from "../base/error-text.ts";
import { Card, Page, Columns } from "../parts/card.tsx";
import type { Json } from "../base/json.ts";
import { asRecord, asText, recordsIn, toJson } from "../base/json.ts";
import { Input } from "../form/input.tsx";
import { sampleOf } from "../schema/sample.ts";
import type { Schema } from "../schema/schema.ts";
import { kindOf } from "../client/job-event.ts";
import type { JobEvent } from "../client/job-event.ts";
import { JsonTree } from "../parts/json-tree.tsx";
import { usePortion } from "../parts/portion.tsx";

/** One job: its state, its steps on a timeline, request, result, events, and its names on every front. */
export function JobPage({ id }: { readonly id: string }): VNode {
  const { backend, calls, drafts, services } = useSession();
  const [turn, setTurn] = useState(0);
  const [said, setSaid] = useState("");
  const epoch = useStore(backend.client.epoch);
  const { job, events, answer, isLoading, failure } = useJob(backend, id, turn + epoch);
  if (job === undefined) {
    return (
      <Page>
        <h1>Job</h1>
        {isLoading ? <Notice>Loading…</Notice> : <Failure>{failure ?? "There is no such job."}</Failure>}
      </Page>
    );
  }
  const call = calls.get(id);
  const steps = timelineOf(job, events);
  const isOver = hasEnded(job.state);
  const runAgain = async (): Promise<void> => {
    if (call === undefined) return;
    const next = { ...call, jobId: newJobId(), traceparent: newTraceparent() };
    calls.set(next.jobId, next);
    await backend.start(next);
    location.hash = linkTo("jobs", next.jobId);
  };
  const tool = services
    .flatMap(({ definition }) => recordsIn(definition, "tools"))
    .find(({ name }) => name === job.label);
  const again = (from: string): void =>
    act(async () => {
      const made = asRecord(await backend.client.json(`/jobs/${id}/fork`, post({ from })));
      location.hash = linkTo("jobs", bareId(String(made["job-id"])));
    }, "");
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
          {!isOver && (
            <button type="button" onClick={() => act(() => backend.cancel(id), "The job was asked to stop.")}>
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
          {call !== undefined && (
            <button type="button" onClick={() => act(runAgain, "")}>
              Run again
            </button>
          )}
          {call !== undefined && (
            <a
              class="button"
              href={linkTo("tools", call.service.key, call.tool.name)}
              onClick={() => drafts.set(draftKey(call.service.key, call.tool.name), call.body)}
            >
              Edit and run again
            </a>
          )}
        </span>
      </header>
      <p class={said === "" ? "unseen" : "dim"} role="status">
        {said}
      </p>
      {job.message !== undefined && <Failure>{job.message}</Failure>}
      <Card title="Timeline">
        {steps.length > 0 ? (
          <StepsView
            steps={steps}
            from={Math.min(...steps.map((step) => step.from))}
            to={job.endedAt}
            again={isOver && tool?.["durable"] ? again : undefined}
          />
        ) : (
          <Remark>It waits for a worker.</Remark>
        )}
      </Card>
      {!isOver &&
        recordsIn(tool, "waits").map((wait) => (
          <MessageForm
            wait={wait}
            send={(name, value) =>
              act(() => backend.client.json(`/jobs/${id}/messages/${name}`, post(value)), "The message was sent.")
            }
          />
        ))}
      <Columns>
        <Card title={answer !== undefined && answer.status >= 400 ? "Error" : "Result"}>
          {answer === undefined ? (
            <Remark>{isOver ? "…" : "There is none yet."}</Remark>
          ) : (
            <ResultView answer={answer} />
          )}
        </Card>
        <Card title="Request">
          {call === undefined ? <Remark>Only requests of this page are known.</Remark> : <Code>{call.body}</Code>}
        </Card>
      </Columns>
      <Identities id={id} job={job} />
      <EventsView events={events} />
    </Page>
  );
}

interface MessageProps {
  readonly wait: Readonly<Record<string, unknown>>;
  readonly send: (name: string, value: Json) => void;
}

/** A message that the job waits for, or will. */
function MessageForm({ wait, send }: MessageProps): VNode {
  const name = String(wait["name"]);
  const schema = asRecord(wait["message-schema"]) as Schema;
  const [value, setValue] = useState(() => sampleOf(schema, schema));
  return (
    <Card title={`Message ${name}`}>
      <Input schema={schema} root={schema} value={value} path={[]} onChange={setValue} problems={none} input={Input} />
      <button type="button" onClick={() => send(name, value)}>
        Send
      </button>
    </Card>
  );
}

const none: ReadonlyMap<string, string> = new Map();

function post(value?: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: toJson(value) };
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

/** The events of a job as they came. */
function EventsView({ events }: { readonly events: readonly JobEvent[] }): VNode {
  const [shown, more] = usePortion(events, 200, "events");
  return (
    <Card title="Events">
      <ol class="events">
        {shown.map((event) => (
          <li>
            <details>
              <summary>
                <time class="mono dim">{new Date(event.at).toISOString().slice(11, 23)}</time>{" "}
                <span class="type">{kindOf(event) || event.type.replace("platform.job.", "")}</span>{" "}
                {asText(event.data["name"]) ?? asText(event.data["status"]) ?? asText(event.data["error"])}
              </summary>
              <JsonTree value={event.raw as Json} open={3} />
            </details>
          </li>
        ))}
      </ol>
      {more}
      {events.length === 0 && <Remark>None yet.</Remark>}
    </Card>
  );
}
