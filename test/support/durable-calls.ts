import type { KeptCodec } from "../../runtime/contract/contract.ts";
import type { JobContext } from "../../runtime/executor/run/job-context.ts";
import type { StepAttempt } from "../../runtime/executor/run/steps.ts";
import type { MessageOptions } from "../../runtime/executor/run/waits.ts";

type Call = (...args: unknown[]) => Promise<unknown>;

/** The codec of a text, as the build makes it. */
export const text: KeptCodec = {
  fingerprint: "text",
  schema: { type: "string" },
  is: (wire) => typeof wire === "string",
};

/** Calls a step as the build has it: with its codec. */
export function step(
  job: JobContext,
  name: string,
  run: (step: StepAttempt) => unknown,
  codec: KeptCodec = text,
): Promise<unknown> {
  return (job.step as Call).call(job, name, {}, run, codec);
}

/** Waits for a message as the build has it. */
export function wait(
  job: JobContext,
  name: string,
  options: MessageOptions,
  codec: KeptCodec = text,
): Promise<unknown> {
  return (job.wait as Call).call(job, name, options, codec);
}
