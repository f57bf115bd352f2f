import { ToolError } from "../../../runtime/base/errors.ts";
import { collect, createPlatformHttp } from "../../../runtime/outside/platform/sidecar/platform-http.ts";
import type { HttpRequest } from "../../../runtime/outside/platform/sidecar/platform-http.ts";
import { SidecarError } from "../../../runtime/outside/platform/sidecar/sidecar-client.ts";
import type { SidecarAnswer } from "../../../runtime/outside/platform/sidecar/sidecar-client.ts";

/** Milliseconds that a service has to answer. */
const timeout = 30_000;
const answerLimit = 1024 * 1024;

/** Sends a call about a job on to the REST service that runs it. Throws `unavailable` where that does not answer. */
export async function callService(url: string, request: Omit<HttpRequest, "timeout">): Promise<SidecarAnswer> {
  try {
    return await collect(await createPlatformHttp(url.replace(/\/+$/, "")).open({ ...request, timeout }), answerLimit);
  } catch (error) {
    if (!(error instanceof SidecarError)) throw error;
    throw new ToolError("unavailable", "The service of the job does not answer. Try again.", { retryAfter: 1 });
  }
}
