import { currentJob, type CurrentJob } from "../../job/current-job.ts";
import type { Job, JobOutcome, JobResult } from "../../job/job.ts";
import { getLogger } from "../../telemetry/log/logging.ts";

/** Maximum characters of JSON in a record; for longer values only their length is logged. */
const mostShown = 20_000;

/**
 * Logs the request of a job when it begins, and its result when it ends; at DEBUG only. The log redacts secrets by
 * their names and forms.
 */
export function logJob(job: Pick<Job, "onEnd"> & CurrentJob & { readonly input: unknown }): void {
  const log = (fields: Readonly<Record<string, unknown>>, text: string): void =>
    currentJob.run(job, () => getLogger("tenon").debug(fields, text));
  log({ request: shown(job.input) }, "request");
  job.onEnd((outcome) => log(describeEnd(outcome), "result"));
}

function describeEnd(outcome: JobOutcome): Readonly<Record<string, unknown>> {
  const { state } = outcome;
  if (outcome.state === "succeeded") return { state, result: describeResult(outcome.result) };
  const { kind, message } = outcome.error;
  return { state, kind, error: message };
}

function describeResult(result: JobResult): unknown {
  switch (result.kind) {
    case "json":
      // The result is parsed, so that the log finds secrets by the names of fields.
      return result.json.length > mostShown ? howLong(result.json) : (JSON.parse(result.json) as unknown);
    case "text":
      return result.text.length > mostShown ? howLong(result.text) : result.text;
    case "binary": {
      const { contentType, content } = result;
      const size = content instanceof Uint8Array ? { bytes: content.byteLength } : {};
      return { "content-type": contentType, ...size };
    }
  }
}

function shown(input: unknown): unknown {
  const text = JSON.stringify(input) ?? "";
  return text.length > mostShown ? howLong(text) : input;
}

function howLong(text: string): string {
  return `[${text.length} characters]`;
}
