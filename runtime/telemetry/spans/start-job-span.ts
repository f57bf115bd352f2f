import { SpanKind, trace } from "@opentelemetry/api";
import type { ObservedJob } from "../../job/job-span.ts";
import { hasOtherPropagators, otherParentOf, parentOf } from "./context.ts";
import { requestAttributes } from "./http-attributes.ts";
import { LateAttributes } from "./late-attributes.ts";
import { TracedJob } from "./job-spans.ts";
import type { JobSpansOptions } from "./job-spans.ts";

/** Creates the function that starts the span of a job, as a child of the caller's span. */
export function jobSpanStarter(options: JobSpansOptions): (job: ObservedJob) => TracedJob {
  const { tracer, serviceId } = options;
  const service = { ...(serviceId !== undefined && { "platform.service_id": serviceId }) };
  const kind = options.kind === "server" ? SpanKind.SERVER : SpanKind.CONSUMER;
  const readsOthers = hasOtherPropagators();
  return (job) => {
    const { http, isTakenUp = false, traceparent } = job.submission;
    const sent = parentOf(job.submission);
    const parent =
      readsOthers && http !== undefined && traceparent === undefined ? otherParentOf(sent, http.req.headers) : sent;
    // By the conventions of messaging: who processes something later names whoever has sent it.
    const submitter = isTakenUp || kind === SpanKind.CONSUMER ? trace.getSpanContext(parent) : undefined;
    const ids = { ...service, "platform.job_id": job.id };
    const spanOptions = new LateAttributes({
      kind,
      ...(submitter !== undefined && { links: [{ context: submitter }] }),
      attributes: () => ({ ...ids, "platform.tool": job.tool.name, ...(http && requestAttributes(http, job)) }),
    });
    const span = tracer.startSpan("platform.job", spanOptions, parent);
    return new TracedJob(span, parent, job, { ...options, ids });
  };
}
