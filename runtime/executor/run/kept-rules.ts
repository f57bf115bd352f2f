import { ToolError } from "../../base/errors.ts";
import type { KeptCodec } from "../../contract/contract.ts";
import type { CurrentJob } from "../../job/current-job.ts";
import { isStepKey } from "../../job/steps/kept-step.ts";

/**
 * Makes the error of a job whose stored values this build cannot read. The job is stopped as well, since the tool's
 * code must not handle this as a failure of its own.
 */
export function outdated(job: CurrentJob, what: string, reason: string): ToolError {
  const error = new ToolError("outdated", `This build of the tool cannot read ${what}: ${reason}.`);
  job.stop?.(error);
  return error;
}

/** Returns the codec that the build adds; throws a `TypeError` if there is none. */
export function checkCodec(codec: KeptCodec | undefined, call: string): KeptCodec {
  if (codec !== undefined) return codec;
  throw new TypeError(
    `${call} has no codec, which tenon's plugin adds at build time: build the file with the plugin, and call it on a \`JobContext\`.`,
  );
}

/** Checks that a store can take the key, and returns it as text. */
export function checkKey(key: string | number | undefined): string | number | undefined {
  if (key === undefined || (typeof key === "number" ? Number.isFinite(key) : isStepKey(key))) return key;
  throw new TypeError(
    `${JSON.stringify(key)} cannot be the key of a step: it takes a number, or a text of 1 to 200 characters without control characters.`,
  );
}
