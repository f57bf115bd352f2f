import { ToolError } from "../../../runtime/base/errors.ts";

/** The parts of a URL. */
export interface ReadPath {
  readonly service: string | undefined;
  readonly worker: string | undefined;
  readonly segments: readonly string[];
  /** Query string without the question mark. */
  readonly search: string;
}

/** A service's key and, after a tilde, the worker that runs under the platform. */
const workerForm = /^([a-z0-9-]{1,64})~([a-z0-9]{1,64})$/;

/** The part of a worker's base URL that identifies it. */
export function workerPath(service: string, worker: string): string {
  return `/${service}~${worker}`;
}

/** The path without the name of the worker. */
export function withoutWorker(path: string): string {
  return path.replace(/^(\/[a-z0-9-]{1,64})~[a-z0-9]{1,64}(?=\/)/, "$1");
}

/** Parses a URL. If the first segment is not a route of the platform, it names a service. Throws `bad-request`. */
export function readPath(url: string, isRoute: (name: string) => boolean): ReadPath {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const segments = path.slice(1).split("/").map(decode);
  const search = mark < 0 ? "" : url.slice(mark + 1);
  const [first = ""] = segments;
  if (first === "" || isRoute(first)) return { service: undefined, worker: undefined, segments, search };
  const [, key = first, worker] = (first.includes("~") ? workerForm.exec(first) : undefined) ?? [];
  return { service: key, worker, segments: segments.slice(1), search };
}

function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ToolError("bad-request", "The path has a percent sign that begins no encoded character.");
  }
}
