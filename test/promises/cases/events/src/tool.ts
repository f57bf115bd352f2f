import { BaseEvent, GenericEvent, getEventReporter, ValueError, type JobContext } from "tenon";

/** Reports steps.
 * @tool */
export async function reportSteps(job: JobContext): Promise<string> {
  await job.report.step("outer", { message: "Begins" }, async (step) => {
    step.info({ progress: 50, message: "Half" });
    await inner();
  });
  job.report.stepStarted("block");
  job.report.stepFinished("block");
  return "done";
}

/** A step of a function that knows no job. */
async function inner(): Promise<void> {
  await Promise.resolve();
  getEventReporter()?.step("inner", {}, () => undefined);
}

/** Leaves a step by an error.
 * @tool */
export async function failStep(job: JobContext): Promise<void> {
  await job.report.step("fails", {}, async () => {
    throw new ValueError("The step failed.");
  });
}

class Measured extends BaseEvent {
  static override readonly SCHEMA = "urn:example:event.measured.1";
  readonly degrees: number;
  constructor(degrees: number) {
    super();
    this.degrees = degrees;
  }
}

/** Reports events of its own.
 * @tool */
export function reportOwn(job: JobContext): number {
  job.report.emit(new Measured(21));
  job.report.emit(new GenericEvent("note", { message: "Warm" }));
  return 2;
}

/** Reports what JSON cannot carry.
 * @tool */
export function reportOdd(job: JobContext): void {
  const circle: { self?: object } = {};
  circle.self = circle;
  job.report.emit(new GenericEvent("odd", { big: 10n, circle, nothing: undefined }));
}
