/** Number up to which the jobs before a job are counted, so that a long queue does not make calls slow. */
export const mostAhead = 1000;

/** The reason why a job waits, in the form that callers see (`waits-for`). */
interface ShownWait {
  readonly message?: string;
  readonly limit?: string;
  readonly ahead?: number;
  readonly time?: string;
}

/** Describes the wait of a job in words; undefined if it does not wait. */
export function waitText(waits: ShownWait | undefined): string | undefined {
  if (waits === undefined) return undefined;
  const { message, limit, ahead = 0, time } = waits;
  if (message !== undefined) return `Waits for the message ${message}.`;
  if (limit === undefined) return "Waits for a time.";
  const start = time === undefined ? "" : ` It starts at ${time} at the earliest.`;
  const least = ahead < mostAhead ? "" : "at least ";
  return `Waits for its turn: ${least}${ahead} ${ahead === 1 ? "job is" : "jobs are"} before it, by ${limit}.${start}`;
}
