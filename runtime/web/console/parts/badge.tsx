import type { VNode } from "preact";
import type { JobState } from "../client/job-info.ts";

const signs: Readonly<Record<JobState, string>> = {
  pending: "○",
  executing: "●",
  succeeded: "✓",
  failed: "!",
  error: "✕",
  cancelled: "–",
};

/** Explanations of states whose names are not clear enough. */
const titles: Partial<Readonly<Record<JobState, string>>> = {
  failed: "failed: the tool refused the request",
  error: "error: a fault of the tool or the service",
};

/** Shows the state of a job by word, symbol and colour. */
export function StateBadge({ state }: { readonly state: JobState }): VNode {
  return (
    <span class={`badge ${state}`} title={titles[state]}>
      <span aria-hidden="true">{signs[state]}</span> {state}
    </span>
  );
}

/** Shows the status of an HTTP answer. */
export function StatusBadge({ status }: { readonly status: number }): VNode {
  const kind = status < 300 ? "succeeded" : status < 500 ? "failed" : "error";
  return <span class={`badge ${kind}`}>{status}</span>;
}
