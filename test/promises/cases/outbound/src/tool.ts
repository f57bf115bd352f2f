import { get } from "node:http";
import { getJobId } from "tenon";

const echo = process.env["ECHO_URL"];

/** Sends requests in three manners.
 * @tool
 * @param mark Names the call. */
export async function sendRequests(mark: string): Promise<string> {
  await fetch(`${echo}/fetch/${mark}`);
  await new Promise<void>((resolve, reject) => {
    get(`${echo}/http/${mark}`, (answer) => {
      answer.resume().on("end", () => resolve());
    }).on("error", reject);
  });
  const { request } = await import("node:http");
  await new Promise<void>((resolve, reject) => {
    request(`${echo}/imported/${mark}`, (answer) => {
      answer.resume().on("end", () => resolve());
    })
      .on("error", reject)
      .end();
  });
  return getJobId() ?? "none";
}

/** Sends a request later, when the job has ended.
 * @tool
 * @param mark Names the call. */
export function sendLater(mark: string): string {
  setTimeout(() => void fetch(`${echo}/later/${mark}`), 10);
  return mark;
}
