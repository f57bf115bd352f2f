import type { VNode } from "preact";
import { waitText } from "../../../contract/wait-text.ts";
import type { Backend } from "../client/backend.ts";
import { asRecord, textIn } from "../base/json.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { useSession } from "../client/session.ts";
import { awaitedBy } from "./awaited.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Dim } from "../parts/notice.tsx";

/** Milliseconds between two polls of the state, which the events of a job do not report. */
const every = 1000;

/** Shows the state of a job that has not ended, and what it waits for. */
export function LiveState({ job }: { readonly job: string }): VNode {
  const { backend } = useSession();
  const { value } = useLoaded(() => read(backend, job), [job], every);
  const isPending = value === undefined || value.isPending;
  return (
    <>
      <StateBadge state={isPending ? "pending" : "executing"} />
      <Dim>{value?.wait ?? (isPending && "It waits for a worker.")}</Dim>
    </>
  );
}

interface Progress {
  readonly isPending: boolean;
  /** Words for what the job waits for. */
  readonly wait: string | undefined;
}

async function read({ progress, client }: Backend, job: string): Promise<Progress> {
  const state = asRecord(await progress(job));
  const waits = state["waits-for"];
  // The state has one message alone, the history all of them.
  const names =
    textIn(waits, "message") === undefined
      ? []
      : awaitedBy(await client.json(`/jobs/${job}/history`).catch(() => undefined), state);
  return {
    isPending: state["status"] === "pending",
    wait:
      names.length > 1
        ? `Waits for the messages ${names.join(", ")}.`
        : waitText(waits as Parameters<typeof waitText>[0]),
  };
}
