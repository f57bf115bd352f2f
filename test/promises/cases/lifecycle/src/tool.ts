import type { JobContext } from "tenon";

/** Runs until the service ends.
 * @tool
 * @param token Names the call. */
export async function runToTheEnd(token: string, job: JobContext): Promise<void> {
  await fetch(`${process.env["ECHO_URL"]}/running/${token}`);
  await new Promise<void>((resolve) => {
    job.signal.addEventListener(
      "abort",
      () => void fetch(`${process.env["ECHO_URL"]}/ended/${token}`).then(() => resolve()),
    );
  });
}

/** Says that it runs.
 * @tool */
export function sayHello(): string {
  return "hello";
}
