import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { parseJson, recordIn, textIn, toJson } from "../base/json.ts";
import { errorText, useLoaded } from "../base/use-loaded.ts";
import type { Call } from "../client/backend.ts";
import { exampleText } from "../client/copy-as.ts";
import { isDev } from "../client/is-dev.ts";
import { hasEnded, type JobInfo } from "../client/job-info.ts";
import { useSession } from "../client/session.ts";
import { Card } from "../parts/card.tsx";
import { Code } from "../parts/code.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Remark } from "../parts/notice.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import { shownRequest } from "../tools/without-secrets.ts";
import { toolOfJob } from "./job-tool.ts";

/** Milliseconds between two polls of the request of a job that has not begun: a further call may replace it. */
const every = 3000;

/**
 * The call with the whole request of a job, as `tenon dev` or a platform has it, or else as this page has sent it. The
 * call has no request if it is not known; undefined if the tool is not known either.
 */
export function useRequest(id: string, job: JobInfo | undefined): (Omit<Call, "body"> & { body?: string }) | undefined {
  const { backend, calls, services } = useSession();
  const { state } = job ?? {};
  const load = async (): ReturnType<typeof backend.request> => (state === undefined ? undefined : backend.request(id));
  const stored = useLoaded(load, [id, state], state === "pending" ? every : undefined).value;
  const made = calls.get(id);
  if (job === undefined || (stored === undefined && made !== undefined)) return made;
  const entry = made ?? toolOfJob(services, stored?.tool === undefined ? job : { ...job, tool: stored.tool });
  if (entry === undefined) return undefined;
  const value = parseJson(stored?.body ?? "");
  return { ...entry, jobId: id, traceparent: "", ...(value !== undefined && { body: toJson(value, true) }) };
}

interface RequestCardProps {
  readonly id: string;
  readonly job: JobInfo;
  readonly call: ReturnType<typeof useRequest>;
  /** The request without secrets as JSON, if `tenon dev` has noted it. */
  readonly noted: string | undefined;
  /** True if the request is valid, so that it may be an example. */
  readonly isValid: boolean;
}

/** Shows the request of a job, without secrets. */
export function RequestCard({ id, job, call, noted, isValid }: RequestCardProps): VNode {
  const { backend } = useSession();
  const [saved, setSaved] = useState("");
  const body = call?.body;
  if (body === undefined)
    return (
      <Card title="Request">
        <Remark>
          {backend.kind === "platform" && hasEnded(job.state)
            ? "The platform has deleted it at the end of the job, which has no stored steps."
            : `Only requests of this page are known${job.asked === undefined ? "." : "; it begins with"}`}
        </Remark>
        {job.asked !== undefined && <Code>{job.asked}</Code>}
      </Card>
    );
  const shown = noted === undefined ? shownRequest(body) : toJson(parseJson(noted), true);
  const save = async (): Promise<string> =>
    `Saved at ${textIn(await backend.client.json(`/jobs/${id}/example`, { method: "POST" }), "place")}.`;
  return (
    <Card title="Request">
      <Code>{shown}</Code>
      {shown !== body && <Remark>Secrets are not shown. The job has them, and so do the buttons above.</Remark>}
      {backend.kind === "service" && !isDev() && recordIn(call?.tool.whole, "debounce")["seconds"] !== undefined && (
        <Remark>A later call may have replaced it.</Remark>
      )}
      {/* A request that its type refuses is not a valid example: with it, the project would not build. */}
      {isValid && (
        <>
          <CopyButton label="Copy as @example" text={() => exampleText(shown)} />
          {noted !== undefined && (
            <Quiet press={() => save().then(setSaved, (error: unknown) => setSaved(errorText(error)))}>
              Save as @example in the source
            </Quiet>
          )}
        </>
      )}
      <p class={saved === "" ? "unseen" : "dim"} role="status">
        {saved}
      </p>
    </Card>
  );
}
