import type { VNode } from "preact";
import type { Call } from "../client/backend.ts";
import type { JobInfo } from "../client/job-info.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { useSession } from "../client/session.ts";
import { toJson } from "../base/json.ts";
import { Card } from "../parts/card.tsx";

interface IdentitiesProps {
  readonly id: string;
  readonly job: JobInfo;
  readonly call: Call | undefined;
}

/** The names of one job: as a REST call, an MCP task, a batch attempt, a stream of events, and a trace. */
export function Identities({ id, job, call }: IdentitiesProps): VNode {
  const { backend } = useSession();
  const url = `${location.origin}${backend.client.base}/jobs/${id}`;
  const rows: readonly (readonly [string, string])[] = [
    ["URN", `urn:platform:job:${id}`],
    ["REST", `GET ${url}`],
    ["Events", `curl -N ${url}/events`],
    ...(backend.kind === "service"
      ? [["MCP task", toJson({ method: "tasks/get", params: { taskId: id } })] as const]
      : [["Batch", `attempt ${job.attempt} of POST /results/${id}`] as const]),
    ...(call === undefined ? [] : [["Trace", call.traceparent.slice(3, 35)] as const]),
  ];
  return (
    <Card title="The same job elsewhere">
      <dl class="facts">
        {rows.map(([name, text]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <code>{text}</code> <CopyButton label={`Copy ${name}`} text={() => text} />
            </dd>
          </>
        ))}
      </dl>
    </Card>
  );
}
