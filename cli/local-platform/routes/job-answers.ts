import { inertHeaders } from "../../../runtime/fronts/http/inert-headers.ts";
import { ToolError } from "../../../runtime/base/errors.ts";
import type { JobUrn } from "../../../runtime/job/job.ts";
import type { JobRecord, StoredOutcome } from "../../../runtime/executor/store/job-store.ts";
import type { Exchange } from "./exchange.ts";
import { asBytes } from "../jobs/job-content.ts";
import { endOf } from "../jobs/job-outcome.ts";
import type { KnownJobs } from "../jobs/known-jobs.ts";
import { toolNameOf } from "../services/service-tools.ts";
import type { RegisteredService } from "../services/known-services.ts";

/** Poll interval for clients in seconds. */
const retryLater = 1;

/** Answers a call with the job's result, or with the address to poll. */
export function answerCall(
  exchange: Exchange,
  service: RegisteredService,
  id: JobUrn,
  outcome: StoredOutcome | undefined,
): void {
  if (outcome?.state === "succeeded") {
    const { contentType, body } = endOf(outcome);
    exchange.send(200, ["Content-Type", contentType, ...inertHeaders(contentType), "platform-job-id", id], body);
    return;
  }
  const location = `/services2/${service.key}/jobs/${id}`;
  const later = String(retryLater);
  exchange.json(202, { "job-id": id, status: outcome?.state ?? "pending", location, "retry-later": retryLater }, [
    "platform-job-id",
    id,
    "Location",
    location,
    "Retry-After",
    later,
    "Retry-Later",
    later,
  ]);
}

/**
 * Answers with the unchanged request of a job, and with the name of its tool if it is known.
 *
 * @throws ToolError `gone`
 */
export async function answerRequest(
  exchange: Exchange,
  known: Pick<KnownJobs, "request">,
  id: JobUrn,
  { definition }: RegisteredService,
): Promise<void> {
  const content = await known.request(id);
  if (content === undefined)
    throw new ToolError(
      "gone",
      "A request of more than 10 kB is deleted at the end of its job, unless the job has stored steps.",
    );
  const tool = toolNameOf(definition, content);
  const named = tool === undefined ? [] : ["platform-tool", encodeURIComponent(tool)];
  const headers = ["Content-Type", content.type, ...inertHeaders(content.type), "Cache-Control", "no-store", ...named];
  exchange.send(200, headers, asBytes(content));
}

/** Answers only with the job's result or error; without a body while the job runs. */
export function answerOutput(exchange: Exchange, { id, outcome, state }: JobRecord): void {
  if (outcome === undefined) return exchange.send(204, ["Retry-After", String(retryLater), "platform-job-id", id]);
  const { contentType, body } = endOf(outcome);
  const status = state === "succeeded" ? 200 : state === "cancelled" ? 409 : state === "failed" ? 400 : 500;
  return exchange.send(
    status,
    ["Content-Type", contentType, ...inertHeaders(contentType), "platform-job-id", id, "job-status", state],
    body,
  );
}
