import { parseJson, toJson } from "../base/json.ts";
import { useLoaded } from "../base/use-loaded.ts";
import type { Backend } from "../client/backend.ts";
import type { Call } from "../client/calls.ts";
import { isDev } from "../client/is-dev.ts";
import type { JobInfo } from "../client/job-info.ts";
import { useSession } from "../client/session.ts";
import { toolOfJob } from "./job-tool.ts";

/** A call whose request may not be known. */
export type KnownCall = Omit<Call, "body"> & { readonly body?: string };

/** Milliseconds between two polls of the request of a job that has not begun: a further call may replace it. */
const every = 3000;

/**
 * The call with the whole request of a job, as `tenon dev` or a platform has it, or else as this page has sent it. The
 * call has no request if it is not known; undefined if the tool is not known either.
 */
export function useRequest(id: string, job: JobInfo | undefined): KnownCall | undefined {
  const { backend, calls, services } = useSession();
  const { state } = job ?? {};
  const load = async (): Promise<JobRequest | undefined> => (state === undefined ? undefined : requestOf(backend, id));
  const stored = useLoaded(load, [id, state], state === "pending" ? every : undefined).value;
  const made = calls.get(id);
  if (job === undefined || (stored === undefined && made !== undefined)) return made;
  const entry = made ?? toolOfJob(services, stored?.tool === undefined ? job : { ...job, tool: stored.tool });
  if (entry === undefined) return undefined;
  const value = parseJson(stored?.body ?? "");
  return { ...entry, jobId: id, traceparent: "", ...(value !== undefined && { body: toJson(value, true) }) };
}

/** The request of a job. */
interface JobRequest {
  /** JSON text. */
  readonly body: string;
  /** Name of the job's tool, if it is known. */
  readonly tool: string | undefined;
}

/** Fetches the request of a job from the route of `tenon dev` and of platforms; undefined where it is not known. */
async function requestOf({ client, kind }: Backend, jobId: string): Promise<JobRequest | undefined> {
  if (kind === "service" && !isDev()) return undefined;
  const response = await client.send(`/jobs/${jobId}/request`);
  const { headers, ok } = response;
  if (!ok || !/json/.test(headers.get("content-type") ?? "")) return undefined;
  return { body: await response.text(), tool: decodeURIComponent(headers.get("platform-tool") ?? "") || undefined };
}
