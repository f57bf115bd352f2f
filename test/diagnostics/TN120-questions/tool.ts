import type { JobContext } from "tenon";

interface Address {
  street: string;
}

/**
 * Asks for what no form has.
 * @tool
 */
export async function ask(job: JobContext): Promise<string> {
  await job.ask<{ address: Address }>("Nested");
  await job.ask<string[]>("Free list");
  await job.ask<{}>("Nothing");
  await job.ask<Record<string, string>>("Anything");
  await job.ask<Date>("When?");
  await job.ask<1 | 2>("Numbers to choose from");
  await job.ask<Set<"a" | "b">>("Some of them");
  return "";
}
