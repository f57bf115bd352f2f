import { devHostKey } from "../../contract/process-keys.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { ThreadGrant, ThreadTask } from "./messages.ts";

/** Makes the message that gives a job to a thread. */
export function taskOf(job: RunningJob, platform: ThreadTask["platform"], flag: SharedArrayBuffer): ThreadTask {
  const { id, input, caller, traceparent, tracestate, baggage, span } = job;
  const { authorization, attempt } = grantOf(job);
  const { baseUrl, localDir } = platform;
  return {
    kind: "run",
    tool: job.tool.name,
    input,
    id,
    authorization,
    caller,
    traceparent,
    tracestate,
    baggage,
    attempt,
    platform: { baseUrl, localDir },
    tracing: span?.settings,
    isNoted: Reflect.has(globalThis, devHostKey),
    flag,
  };
}

/** Makes the message that gives a thread the new token and attempt of its job. */
export function grantOf({ authorization, attempt }: RunningJob): ThreadGrant {
  return { kind: "grant", authorization, attempt: attempt && { ...attempt } };
}
