import type { Item } from "../base/item-list.ts";

/** Formats a number of milliseconds for people, for example `1.2 s`. */
function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(seconds < 60 ? 1 : 0)} s`;
}

/** Computes the time from the start of a job's last attempt to its end, or until now; empty for a job that waits. */
export function durationOf({ "started-at": started, "finished-at": finished, status }: Item): string {
  if (typeof started !== "string") return "";
  const end = typeof finished === "string" ? Date.parse(finished) : status === "executing" ? Date.now() : undefined;
  return end === undefined ? "" : formatDuration(end - Date.parse(started));
}

/** Measures durations of jobs by notifications of their start and end. */
export class JobTimer {
  readonly #started = new Map<string, number>();

  /** Handles a notification of a job's status; returns the duration at the end of a job whose start was notified. */
  take(id: string, status: string): string | undefined {
    if (status === "executing") {
      this.#started.set(id, performance.now());
      return undefined;
    }
    const started = this.#started.get(id);
    this.#started.delete(id);
    return started === undefined || status === "pending" || status === "released"
      ? undefined
      : formatDuration(performance.now() - started);
  }
}
