/** How a customer pays. */
export enum Plan {
  Free = "free",
  Enterprise = "enterprise",
}

/** A report. @schema urn:example:schema.report.1 */
export interface Report {
  /** True if somebody waits for it. */
  urgent?: boolean;
  /** The plan of the customer. */
  plan: Plan;
  /** Its number of pages. */
  pages: number;
  /** When it is due. */
  due: Date;
  /** Its pages. */
  parts: string[];
}

/**
 * Makes a report, for all calls alike.
 * @tool
 * @priority 30s
 */
export function bare(request: Report): string {
  return request.plan;
}

/**
 * Makes a report, sooner on a plan that it names wrongly.
 * @tool
 * @priority 5m when request.plan "enterprize"
 */
export function misspelt(request: Report): string {
  return request.plan;
}

/**
 * Makes a report, sooner on a plan that does not exist.
 * @tool
 * @priority 5m when request.plan "gold"
 */
export function unknown(request: Report): string {
  return request.plan;
}

/**
 * Makes a report, sooner on any plan.
 * @tool
 * @priority 5m when request.plan
 */
export function noValue(request: Report): string {
  return request.plan;
}

/**
 * Makes a report, sooner if its number of pages is a text.
 * @tool
 * @priority 1h when request.pages "ten"
 */
export function otherKind(request: Report): string {
  return request.plan;
}

/**
 * Makes a report, sooner on a day.
 * @tool
 * @priority 1h when request.due "2026-11-26"
 */
export function onADay(request: Report): string {
  return request.plan;
}

/**
 * Makes a report, sooner if it has certain parts.
 * @tool
 * @priority 1h when request.parts "cover"
 */
export function withParts(request: Report): string {
  return request.plan;
}

/**
 * Makes a report, sooner if somebody waits, and sooner if somebody waits.
 * @tool
 * @priority 30s when request.urgent
 * @priority 1m when request.urgent true
 */
export function twice(request: Report): string {
  return request.plan;
}
