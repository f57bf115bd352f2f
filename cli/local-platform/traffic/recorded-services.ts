import { readPath } from "../routes/request-path.ts";
import type { RecordedExchange } from "./recorder.ts";
import { isRouteName } from "../routes/routes.ts";

/** Keys of the services whose workers got jobs in a recording, sorted. */
export function servicesIn(recording: readonly RecordedExchange[]): readonly string[] {
  const given = recording.filter(({ request, answer }) => /\/next_job\b/.test(request.path) && answer.status === 200);
  return [...new Set(given.flatMap((one) => serviceOf(one) ?? []))].toSorted();
}

/** Exchanges of one service's workers in a recording. */
export function exchangesOf(recording: readonly RecordedExchange[], service: string): readonly RecordedExchange[] {
  return recording.filter((one) => serviceOf(one) === service);
}

function serviceOf({ request }: RecordedExchange): string | undefined {
  return readPath(request.path, isRouteName).service;
}
