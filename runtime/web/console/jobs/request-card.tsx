import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { parseJson, recordIn, textIn, toJson } from "../base/json.ts";
import { errorText } from "../base/use-loaded.ts";
import { exampleText } from "../client/copy-as.ts";
import { isDev } from "../client/is-dev.ts";
import { hasEnded, type JobInfo } from "../client/job-info.ts";
import { useSession } from "../client/session.ts";
import { Card } from "../parts/card.tsx";
import { Code } from "../parts/code.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Remark } from "../parts/notice.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import { shownRequest } from "../base/shown-request.ts";
import type { KnownCall } from "./use-request.ts";

interface RequestCardProps {
  readonly id: string;
  readonly job: JobInfo;
  readonly call: KnownCall | undefined;
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
            ? "The platform deletes a request of more than 10 kB at the end of its job, unless the job has stored steps."
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
