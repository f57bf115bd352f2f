import { get } from "node:http";
import type { JobContext } from "tenon";

const echo = new URL(process.env["ECHO_URL"] ?? "http://127.0.0.1");

/** Says who calls.
 * @tool */
export function whoCalls(job: JobContext): {
  /** User. */ subject: string;
  /** Scopes. */ scopes: string[];
  /** Application. */ client: string;
} {
  const { subject = "nobody", scopes = [], client = "none" } = job.caller ?? {};
  return { subject, scopes: [...scopes], client };
}

/** Writes a note.
 * @tool
 * @scope notes:write */
export function writeNote(): string {
  return "written";
}

/** Prints its job.
 * @tool */
export function printJob(job: JobContext): string {
  return JSON.stringify(job);
}

/** Requests a path of the echo server by a name that leads to it.
 * @returns When it has answered. */
function requestBy(hostname: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(
      {
        hostname,
        port: echo.port,
        path,
        family: 4,
        lookup: (_, { all }, found) =>
          all === true ? found(null, [{ address: echo.hostname, family: 4 }]) : found(null, echo.hostname, 4),
      },
      (answer) => answer.resume().on("end", () => resolve()),
    ).on("error", reject);
  });
}

/** Runs until it is told to stop, and says so to a host of the platform and to another.
 * @tool
 * @param token Names the call. */
export async function callHomeWhenStopped(token: string, job: JobContext): Promise<void> {
  const stopped = new Promise<void>((resolve, reject) => {
    job.signal.addEventListener("abort", () => {
      const requests = [requestBy("home.platform.net", `/home/${token}`), requestBy("example.org", `/abroad/${token}`)];
      void Promise.all(requests).then(() => resolve(), reject);
    });
  });
  await requestBy("example.org", `/running/${token}`);
  await stopped;
}
