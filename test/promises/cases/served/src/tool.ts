import { platformLambda } from "tenon";

/** Adds two numbers.
 * @tool
 * @readonly
 * @title Sum
 * @example {"a": 1, "b": 2}
 * @param a The first.
 * @param b The second. */
export function addNumbers(a: number, b: number): number {
  return a + b;
}

/** Waits a while. */
async function wait(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 400));
  return "waited";
}
/** Waits a while, longer than its callers. */
export const waitLong = platformLambda(wait, { maxWaitTime: 0.05, refreshInterval: 1 });
