/** A report. @schema urn:example:schema.report.1 */
export interface Report {
  /** True if somebody waits for it. */
  urgent: boolean;
}

/**
 * Makes a report, sooner by more than a day.
 * @tool
 * @priority 2 days when request.urgent
 */
export function late(request: Report): boolean {
  return request.urgent;
}

/**
 * Makes a report, with the priority of a resource.
 * @tool
 * @priority 0.5
 */
export function resource(request: Report): boolean {
  return request.urgent;
}

/**
 * Makes a report, with no time.
 * @tool
 * @priority when request.urgent
 */
export function timeless(request: Report): boolean {
  return request.urgent;
}

/**
 * Makes a report, with another word.
 * @tool
 * @priority 30s if request.urgent
 */
export function otherWord(request: Report): boolean {
  return request.urgent;
}
