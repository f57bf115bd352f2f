import { StartError } from "../../base/start-error.ts";

/** Limits on the resources that one client may use. */
export interface HttpLimits {
  /** Maximum bytes of a request body. */
  readonly body: number;
  /** Milliseconds within which a request must have arrived completely. */
  readonly request: number;
  /** Milliseconds after which a client that does not read its answer is disconnected. */
  readonly write: number;
  /** Maximum bytes of answers that wait for slow readers, over all connections. */
  readonly waiting: number;
  /** Maximum bytes of memory for the requests of unfinished jobs, of all tools together. */
  readonly queue: number;
  /** Maximum bytes of finished jobs in a memory store. */
  readonly kept: number;
  /** Maximum number of open connections. */
  readonly connections: number;
}

/** Milliseconds within which the first byte and all headers of a request must have arrived. */
export const headersTimeout: number = 10_000;

/** Reads `TENON_BODY_LIMIT` and the other limits of connections. Throws `StartError` for a value out of range. */
export function readHttpLimits(
  text: (name: string) => string | undefined,
  { bodyLimit }: { readonly bodyLimit?: number | undefined } = {},
): HttpLimits {
  const read = (name: string, usual: number, least: number, most: number = 999_999_999): number => {
    const value = text(name) ?? String(usual);
    const number = /^\d{1,9}$/.test(value) ? Number(value) : -1;
    if (number >= least && number <= most) return number;
    throw new StartError(`${name} is ${JSON.stringify(value)}; write a whole number from ${least} to ${most}.`);
  };
  return {
    body: bodyLimit ?? read("TENON_BODY_LIMIT", 1024 * 1024, 1024, 512 * 1024 * 1024),
    request: read("TENON_REQUEST_TIMEOUT", 30, 1, 3600) * 1000,
    write: read("TENON_WRITE_TIMEOUT", 30, 1, 3600) * 1000,
    waiting: read("TENON_WRITE_BUFFER", 128 * 1024 * 1024, 1024 * 1024),
    queue: read("TENON_QUEUE_BYTES", 64 * 1024 * 1024, 1024 * 1024),
    kept: read("TENON_KEPT_BYTES", 64 * 1024 * 1024, 0),
    connections: read("TENON_MAX_CONNECTIONS", 10_000, 1, 1_000_000),
  };
}
