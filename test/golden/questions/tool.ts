import { getJobContext } from "tenon";
import type { JobContext } from "tenon";

type Color = "red" | "green";

interface Form {
  /** Your name. @minLength 1 @maxLength 50 */
  name: string;
  /** Your mail address. @format email */
  mail?: string;
  /** Your age. @type uint32 @maximum 150 @default 18 */
  age?: number;
  /** Your colour. */
  color: Color;
  /** Your other colours. @maxItems 2 */
  others: Color[];
  /** Whether you are sure. @title Sure? */
  sure: boolean;
}

/**
 * Asks.
 * @tool
 */
export async function ask(job: JobContext): Promise<string> {
  const form = await job.ask<Form>("All of it", { key: "form" });
  const sure = await job.ask<boolean>("Sure?");
  return form.name + String(sure) + (await helper());
}

async function helper(): Promise<string> {
  const job = getJobContext();
  const other = { ask: <T>(text: string): T => text as T };
  other.ask<string>("not ours");
  return (await job?.ask<Color>("Which?")) ?? "";
}
