import type { VNode } from "preact";
import type { JobInfo } from "../client/job-info.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { useSession } from "../client/session.ts";
import { toJson } from "../base/json.ts";
import { Facts } from "../parts/facts.tsx";
import { Card } from "../parts/card.tsx";

interface IdentitiesProps {
  readonly id: string;
  readonly job: JobInfo;
}

/** Names the attempt of a job on a platform; for a job that waits, the one that will follow. */
function attemptText(id: string, { state, attempt }: JobInfo): string {
  const path = `POST /results/${id}`;
  return state === "pending"
    ? `attempt ${attempt + 1} of ${path}, when a worker takes it`
    : `attempt ${attempt} of ${path}`;
}

/**
 * Shows the identifiers of a job: in REST calls, as an MCP task, as a batch attempt, in an event stream, and in a
 * trace.
 */
export function Identities({ id, job }: IdentitiesProps): VNode {
  const { backend } = useSession();
  const url = `${location.origin}${backend.client.base}/jobs/${id}`;
  const rows: readonly (readonly [string, string])[] = [
    ["URN", `urn:platform:job:${id}`],
    ["REST", `GET ${url}`],
    ["Events", `curl -N ${url}/events`],
    ...(backend.kind === "service"
      ? [["MCP task", toJson({ method: "tasks/get", params: { taskId: id } })] as const]
      : [["Batch", attemptText(id, job)] as const]),
    ...(job.traceId === undefined ? [] : [["Trace", job.traceId] as const]),
  ];
  return (
    <Card title="The same job elsewhere">
      <Facts
        rows={rows.map(([name, text]) => [
          name,
          <>
            <code>{text}</code> <CopyButton label={`Copy ${name}`} text={() => text} />
          </>,
        ])}
      />
    </Card>
  );
}
