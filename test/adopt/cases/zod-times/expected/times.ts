/** @schema urn:example:schema.times.request.1 */
export interface Times {
  /** @pattern ^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$ */
  start: string;
  /** @pattern ^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$ */
  end: string;
  /** @format date-time */
  at: string;
  /** @format date-time */
  offset: string;
  local: string;
  localText: string;
  minutes: string;
  /** @format duration */
  lasts: string;
}

/**
 * Takes times.
 * @tool
 */
export function postTimes(input: Times): unknown {
  return input;
}
