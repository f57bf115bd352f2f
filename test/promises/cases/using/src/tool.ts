import type { JobContext } from "tenon";

/** Releases what it holds.
 * @tool */
export async function releaseAll(): Promise<string[]> {
  const steps: string[] = [];
  {
    using first = { [Symbol.dispose]: () => void steps.push("first") };
    await using second = { [Symbol.asyncDispose]: async () => void steps.push("second") };
    steps.push(first === undefined || second === undefined ? "lost" : "held");
  }
  return steps;
}

/** Reports a step that ends with its block.
 * @tool */
export function usingStep(job: JobContext): void {
  using step = job.report.step("block");
  step.info({ message: "Within" });
}
