import { onTestFinished } from "vitest";
import {
  startLocalPlatform,
  type LocalPlatform,
  type LocalPlatformOptions,
} from "../../cli/local-platform/start-local-platform.ts";
import { runBatch, type BatchRun } from "../../runtime/start/run-batch.ts";
import { readConfig } from "../../runtime/service/config/config.ts";
import type { JobContext } from "../../runtime/executor/run/job-context.ts";
import type { Clock } from "../../runtime/base/clock.ts";
import { fakeTool } from "./fake-tool.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A real platform that is gone after the test. */
export async function localPlatform(options: Partial<LocalPlatformOptions> = {}): Promise<LocalPlatform> {
  const platform = await startLocalPlatform({ folder: temporaryFolder(), ...options });
  onTestFinished(() => platform.stop());
  return platform;
}

/** A batch worker of a service in this process. */
export function worker<Request>(
  platform: LocalPlatform,
  service: string,
  work: (request: Request, job: JobContext) => unknown,
  {
    concurrency = 1,
    clock,
    resultKind = "json",
  }: { readonly concurrency?: number; readonly clock?: Clock; readonly resultKind?: "json" | "binary" } = {},
): BatchRun {
  const base = `${platform.url}/${service}`;
  const env = { PLATFORM_BASE_URL: base, PLATFORM_SPOOL_DIR: temporaryFolder() };
  const config = readConfig(env, ["--concurrency", String(concurrency)], {}, "batch");
  const run = runBatch(fakeTool(work, { resultKind }), base, config, clock === undefined ? {} : { clock });
  onTestFinished(() => run.stop());
  return run;
}

/** A platform of this process or of another one. */
type At = Pick<LocalPlatform, "url">;

/** Answer of `GET next_job`. */
export interface FetchedByHand {
  readonly status: number;
  readonly id: string;
  readonly content: unknown;
  /** Token and lease, for every further call about the job. */
  readonly headers: Record<string, string>;
}

/** Fetches a job as a worker does. */
export async function fetchJob(platform: At, service: string, wait = 10): Promise<FetchedByHand> {
  const response = await fetch(`${platform.url}/${service}/next_job?wait=${wait}`);
  const body = (response.status === 200 ? await response.json() : {}) as Record<string, unknown>;
  const headers = Object.fromEntries(
    ["authorization", "job-attempt", "job-lease"].map((name) => [name, response.headers.get(name) ?? ""]),
  );
  return { status: response.status, id: String(body["id"]), content: body["in-content"], headers };
}

/** A call about a job; answers with the status. */
export async function callAbout(
  platform: At,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<number> {
  const response = await fetch(platform.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Hands a job in; with `wait` (seconds) the answer comes when it has ended. */
export function submit(
  platform: At,
  service: string,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${platform.url}/services2/${service}/jobs`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(content),
  });
}

/** The id of a job that was handed in. */
export function jobOf(response: Response): string {
  return response.headers.get("platform-job-id") ?? "";
}

/** A job as `GET /jobs/{id}` has it; with `wait` (seconds) once it has ended. */
export async function jobRecord(platform: At, id: string, wait = 0): Promise<Record<string, unknown>> {
  return (await (await fetch(`${platform.url}/jobs/${id}?wait=${wait}`)).json()) as Record<string, unknown>;
}
