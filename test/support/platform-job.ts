import { createHttpPlatformClient } from "../../runtime/outside/platform/http-platform-client.ts";
import {
  createPlatformApi,
  type PlatformApi,
  type PlatformJob,
} from "../../runtime/outside/platform/sidecar/platform-api.ts";
import { createPlatformHttp } from "../../runtime/outside/platform/sidecar/platform-http.ts";
import type { PlatformClient } from "../../runtime/outside/platform/platform-client.ts";
import { fastClock } from "./fast-clock.ts";

/** A job as the platform client sees it. */
export function platformJob(more: Partial<PlatformJob> = {}): PlatformJob {
  return {
    id: "urn:platform:job:one",
    authorization: "Bearer one",
    attempt: undefined,
    traceparent: undefined,
    tracestate: undefined,
    signal: new AbortController().signal,
    ...more,
  };
}

/** Options with which a fast job asks a platform. */
export function platformApi(url: string, job: PlatformJob = platformJob()): PlatformApi {
  return createPlatformApi(createPlatformHttp(url), job, fastClock(200));
}

/** The client of a job, with waits that take no time. */
export function platformClient(url: string, job: PlatformJob = platformJob()): PlatformClient {
  return createHttpPlatformClient(platformApi(url, job));
}
