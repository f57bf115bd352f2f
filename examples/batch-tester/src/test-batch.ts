import { ValueError, type JobContext } from "tenon";
import { burnCpu } from "./burn-cpu.ts";
import { callOutside, type OutsideAnswer, type OutsideCall } from "./call-outside.ts";
import { exhaustMemory } from "./exhaust-memory.ts";

/**
 * Actions of the job, in this order: compute, report, call, echo, and come to an end.
 * @schema urn:example:schema.batch-tester.request.1
 */
export interface BatchTest {
  /**
   * Seconds to compute.
   * @minimum 0 @maximum 3600 @default 0
   */
  durationSeconds?: number;
  /**
   * Share of one core that computing takes.
   * @minimum 0 @maximum 100 @default 60
   */
  targetCpuPercent?: number;
  /** Events to report. @type uint32 @maximum 100000 @default 0 */
  events?: number;
  /** A request to make. */
  call?: OutsideCall;
  /** Text that comes back. */
  echo?: string;
  /** Ends with an error that is nobody's mistake (`system`) or the caller's (`user`). */
  throwAtEnd?: "system" | "user";
  /** Ends by leaving the process with this code. @type int32 */
  exitCodeAtEnd?: number;
  /** Ends by taking all memory. */
  exhaustMemoryAtEnd?: boolean;
}

/**
 * Actions that the job took.
 * @schema urn:example:schema.batch-tester.1
 */
export interface BatchTestResult {
  /** Seconds of processor time that the process used while it computed. */
  cpuSeconds: number;
  /** Events that were reported. @type uint32 */
  events: number;
  /** Answer to the call. */
  call?: OutsideAnswer;
  /** The text of the request. */
  echo?: string;
}

/**
 * Does what a test of a batch platform needs: computes, reports, calls, fails, exits, or takes all memory.
 *
 * @tool
 * @title Test the platform
 * @openWorld
 * @example { "durationSeconds": 1, "targetCpuPercent": 10, "echo": "hello world" }
 */
export async function testBatch(test: BatchTest, job: JobContext): Promise<BatchTestResult> {
  const { durationSeconds = 0, targetCpuPercent = 60, events = 0, call, echo } = test;
  const cpuSeconds = await job.report.step("compute", { message: `${durationSeconds} s` }, () =>
    burnCpu(durationSeconds, targetCpuPercent, job.signal),
  );
  await job.report.step("report", { message: `${events} events` }, (step) => {
    for (let event = 1; event <= events; event++) step.info({ event });
  });
  const answer =
    call === undefined
      ? undefined
      : await job.report.step("call", { message: `${call.url}` }, () => callOutside(call, job.signal));
  end(test);
  return { cpuSeconds, events, ...(answer !== undefined && { call: answer }), ...(echo !== undefined && { echo }) };
}

function end({ throwAtEnd, exitCodeAtEnd, exhaustMemoryAtEnd }: BatchTest): void {
  if (throwAtEnd === "user") throw new ValueError("The request asked for an error of the caller.");
  if (throwAtEnd === "system") throw new Error("The request asked for an error of the service.");
  if (exitCodeAtEnd !== undefined) process.exit(exitCodeAtEnd);
  if (exhaustMemoryAtEnd === true) exhaustMemory();
}
