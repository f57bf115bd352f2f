/** The parts of a job that its requests carry. */
export interface OutboundJob {
  readonly id: string;
  /** The job's token, verbatim. */
  readonly authorization: string | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage?: string | undefined;
}

/** Headers made from a job. */
export interface JobHeaders {
  /** The job's id, percent-encoded if it could not be sent in a header otherwise. */
  readonly id: string | undefined;
  readonly authorization: string | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage?: string | undefined;
}

interface Checked {
  readonly of: OutboundJob;
  readonly headers: JobHeaders;
}

const checked = new WeakMap<OutboundJob, Checked>();

/**
 * Makes a job's headers, without values that servers would refuse. The result is cached per job, since a token may be
 * long, and renewed when a value changes, as the trace context does with each step.
 */
export function jobHeaders(job: OutboundJob): JobHeaders {
  // Read once: with telemetry, every read of the trace context creates a new text.
  const { id, authorization, traceparent, tracestate, baggage } = job;
  const last = checked.get(job);
  if (
    last !== undefined &&
    last.of.id === id &&
    last.of.authorization === authorization &&
    last.of.traceparent === traceparent &&
    last.of.tracestate === tracestate &&
    last.of.baggage === baggage
  ) {
    return last.headers;
  }
  const headers = check({ id, authorization, traceparent, tracestate, baggage });
  checked.set(job, { of: { id, authorization, traceparent, tracestate, baggage }, headers });
  return headers;
}

function check({ id, authorization, traceparent, tracestate, baggage }: OutboundJob): JobHeaders {
  const hasTrace = traceparent !== undefined && traceparentForm.test(traceparent);
  return {
    id: headerSafeId(id),
    authorization: authorization !== undefined && headerValue.test(authorization) ? authorization : undefined,
    traceparent: hasTrace ? traceparent : undefined,
    tracestate: hasTrace && tracestate !== undefined && printable.test(tracestate) ? tracestate : undefined,
    baggage: baggage !== undefined && headerValue.test(baggage) ? baggage : undefined,
  };
}

// Checked here, since without telemetry the value comes unchanged from the caller.
const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const printable = /^[\x20-\x7e]{1,512}$/;
// No line breaks, NUL or characters beyond Latin-1, and not longer than servers accept.
const headerValue = /^[\t\x20-\x7e\x80-\xff]{1,8192}$/;
const plainId = /^[\x21-\x7e]{1,1024}$/;

function headerSafeId(id: string): string | undefined {
  if (plainId.test(id)) return id;
  const encoded = encodeURIComponent(id.toWellFormed());
  return plainId.test(encoded) ? encoded : undefined;
}
