import { trace } from "@opentelemetry/api";
import type { JobContext } from "tenon";

/** Makes spans.
 * @tool */
export async function makeSpans(job: JobContext): Promise<string> {
  await job.report.step("load", { message: "Loading" }, () =>
    trace.getTracer("own").startActiveSpan("own span", async (span) => {
      await fetch(`${process.env["ECHO_URL"]}/traced/${span.spanContext().traceId}`);
      span.end();
    }),
  );
  return trace.getActiveSpan()?.spanContext().traceId ?? "none";
}
