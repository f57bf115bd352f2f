import type { JobContext } from "tenon";

/** A job for tests: it runs where it is called, and collects what the tool reports as one line per event. */
export function recordedJob(signal: AbortSignal = new AbortController().signal): { job: JobContext; events: string[] } {
  const events: string[] = [];
  const report = {
    async step(name: string, options: { message?: string }, body: (step: unknown) => unknown): Promise<unknown> {
      events.push(`start ${name}: ${options.message ?? ""}`);
      return body({
        info: (info: object) => events.push(`info ${name}: ${JSON.stringify(info)}`),
        finished: (end: { message?: string } = {}) => events.push(`finish ${name}: ${end.message ?? ""}`),
      });
    },
  };
  return { job: { jobId: "urn:platform:job:test", report, signal } as unknown as JobContext, events };
}
