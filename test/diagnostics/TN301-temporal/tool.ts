/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A moment. */
  at: Temporal.Instant;
  /** A day. */
  day: Temporal.PlainDate;
  /** A time span. */
  during: Temporal.Duration;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
