import { ToolError } from "../../../runtime/base/errors.ts";
import {
  collect,
  createPlatformHttp,
  type HttpRequest,
} from "../../../runtime/outside/platform/sidecar/platform-http.ts";
import { SidecarError, type SidecarAnswer } from "../../../runtime/outside/platform/sidecar/sidecar-client.ts";

/** Milliseconds within which a service must answer. */
const timeout = 30_000;
const answerLimit = 1024 * 1024;

/**
 * Forwards a call about a job to the REST service that runs it. Throws `unavailable` if the service does not answer.
 */
export async function callService(url: string, request: Omit<HttpRequest, "timeout">): Promise<SidecarAnswer> {
  try {
    return await collect(await createPlatformHttp(url.replace(/\/+$/, "")).open({ ...request, timeout }), answerLimit);
  } catch (error) {
    if (!(error instanceof SidecarError)) throw error;
    throw new ToolError("unavailable", "The service of the job does not answer. Try again.", { retryAfter: 1 });
  }
}
