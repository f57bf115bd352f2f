import type { JobContext } from "tenon";

declare const bank: { charge(): Promise<string>; refund(id: string): Promise<void> };

/**
 * Has effects beside its steps.
 * @tool
 */
export async function run(job: JobContext): Promise<string> {
  const id = await job.step("charge", async () => await bank.charge());
  await bank.refund(id);
  await job.platform.getArtifact("urn:platform:artifact:1");
  await Promise.all([job.step("one", () => 1), job.sleep("1s")]);
  const later = job.step("two", () => 2);
  await later;
  await helper(job);
  await job.report.step("shown", async () => job.step("three", () => 3));
  return id;
}

async function helper(job: JobContext): Promise<void> {
  await job.step("four", () => 4);
}

/**
 * Keeps nothing, so that it may await anything.
 * @tool
 */
export async function plain(job: JobContext): Promise<string> {
  job.logger.info("plain");
  return bank.charge();
}
