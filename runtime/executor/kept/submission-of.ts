import type { JobClient } from "../../job/question.ts";
import type { Submission } from "../../job/job.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { JobRecord, NewJob } from "../store/job-store.ts";
import { openEvent } from "./stored-job.ts";

/**
 * Converts a claimed job into a submission.
 * @param record The record with the events of earlier attempts, if there are any
 * @param client The client that the job asks
 */
export function submissionOf(
  job: NewJob,
  tool: Tool,
  record: JobRecord | undefined,
  client: JobClient | undefined,
): Submission {
  const { id, input, owner, caller, idempotency, traceparent, tracestate, baggage } = job;
  const earlier = record?.events.map(openEvent);
  return {
    tool,
    input,
    id,
    owner,
    caller,
    idempotency,
    traceparent,
    tracestate,
    baggage,
    earlier,
    isTakenUp: true,
    client,
  };
}
