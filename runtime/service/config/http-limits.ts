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
  /** Maximum bytes of finished jobs in a memory store. */
  readonly kept: number;
  /** Maximum number of open connections. */
  readonly connections: number;
}

/** Milliseconds within which the first byte and all headers of a request must have arrived. */
export const headersTimeout: number = 10_000;

const largestBody = 512 * 1024 * 1024;

/** Reads `TENON_BODY_LIMIT` and the other limits of connections. Throws `StartError` for a value out of range. */
export function readHttpLimits(
  text: (name: string) => string | undefined,
  { bodyLimit }: { readonly bodyLimit?: number | undefined } = {},
): HttpLimits {
  const read = (name: string, least: number, most: number, otherwise: number): number => {
    const value = text(name);
    if (value === undefined) return otherwise;
    if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    throw new StartError(`${name} is ${JSON.stringify(value)}; write a whole number from ${least} to ${most}.`);
  };
  return {
    body: bodyLimit ?? read("TENON_BODY_LIMIT", 1024, largestBody, 1024 * 1024),
    request: read("TENON_REQUEST_TIMEOUT", 1, 3600, 30) * 1000,
    write: read("TENON_WRITE_TIMEOUT", 1, 3600, 30) * 1000,
    waiting: read("TENON_WRITE_BUFFER", 1024 * 1024, 999_999_999, 128 * 1024 * 1024),
    kept: read("TENON_KEPT_BYTES", 0, 999_999_999, 256 * 1024 * 1024),
    connections: read("TENON_MAX_CONNECTIONS", 1, 1_000_000, 10_000),
  };
}
