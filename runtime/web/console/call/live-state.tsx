import type { VNode } from "preact";
import { waitText } from "../../../contract/wait-text.ts";
import { asRecord } from "../base/json.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { useSession } from "../client/session.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Dim } from "../parts/notice.tsx";

/** Milliseconds between two polls of the state, which the events of a job do not report. */
const every = 1000;

/** Shows the state of a job that has not ended, and what it waits for. */
export function LiveState({ job }: { readonly job: string }): VNode {
  const { backend } = useSession();
  const { value } = useLoaded(async () => asRecord(await backend.progress(job)), [job], every);
  const isPending = value === undefined || value["status"] === "pending";
  return (
    <>
      <StateBadge state={isPending ? "pending" : "executing"} />
      <Dim>
        {waitText(value?.["waits-for"] as Parameters<typeof waitText>[0]) ?? (isPending && "It waits for a worker.")}
      </Dim>
    </>
  );
}
