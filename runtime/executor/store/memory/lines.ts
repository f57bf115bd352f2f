import { Alarm } from "../alarm.ts";
import { DueTimes } from "./due-times.ts";
import type { HeadStarts } from "./head-starts.ts";
import { Line } from "./limit-line.ts";
import type { LimitParts } from "./limit-parts.ts";
import type { LiveJob } from "./live-job.ts";

/**
 * Maximum number of jobs that are admitted at once. If more are due, the event loop has a turn before the next ones, so
 * that a service goes on answering.
 */
const mostAtOnce = 256;

/** The queues of all keys. Each is looked at only when its jobs change, or when it is due. */
export class Lines {
  readonly #parts: LimitParts;
  readonly #starts: HeadStarts;
  readonly #lines = new Map<string, Line>();
  /** Queues with jobs that wait for a time: that of a debounce, or of a rate. */
  readonly #due = new DueTimes<Line>();
  /** Queues without jobs, which are dropped when the buckets of their rates are full. */
  readonly #idle = new DueTimes<Line>();
  /** Rings when the next queue is due. */
  readonly #alarm: Alarm;
  /** True while jobs are admitted, and until the alarm rings if more are due than are admitted at once. */
  #isAdmitting = false;

  constructor(parts: LimitParts, starts: HeadStarts) {
    this.#parts = parts;
    this.#starts = starts;
    this.#alarm = new Alarm(() => {
      this.#isAdmitting = false;
      this.look();
    });
  }

  get all(): readonly Line[] {
    return [...this.#lines.values()];
  }

  get(key: string | undefined): Line | undefined {
    return key === undefined ? undefined : this.#lines.get(key);
  }

  /** The queue of a job with a limit; it is created if there is none. */
  of({ job: { limit } }: LiveJob): Line {
    const { key = "" } = limit ?? {};
    const line = this.#lines.get(key) ?? new Line(key, limit, this.#parts.now);
    this.add(line);
    return line;
  }

  /** Adds a queue again that may have been dropped, since it was empty. */
  add(line: Line): void {
    this.#lines.set(line.key, line);
  }

  /** Admits the waiting jobs of queues as far as there is room. */
  letIn(lines: Iterable<Line>): void {
    const { live: all, now, news } = this.#parts;
    const tools = new Set<string>();
    let left = mostAtOnce;
    for (const line of lines) {
      for (; left > 0; left--) {
        const live = line.admit();
        if (live === undefined) break;
        live.claimableFrom = now();
        // Moves the job behind those that became claimable before it.
        all.delete(live.job.id);
        all.set(live.job.id, live);
        this.#starts.joins(live);
        tools.add(live.job.tool);
      }
      this.plan(line);
    }
    if (tools.size > 0) news.tellReady([...tools]);
  }

  /** Removes a job that has ended or has left its process, and admits others in its place. */
  leave(line: Line, live: LiveJob): void {
    line.remove(live);
    // A queue that is due is looked at soon, perhaps after a turn of the event loop.
    if ((this.#due.of(line) ?? Infinity) > this.#parts.now()) this.letIn([line]);
  }

  /** Admits jobs of the queues that are due. */
  look(): void {
    const { now } = this.#parts;
    if (this.#isAdmitting || this.#due.next > now()) return this.#setAlarm();
    this.#isAdmitting = true;
    const lines: Line[] = [];
    for (const line of this.#due.due(now())) if (lines.push(line) === mostAtOnce) break;
    this.letIn(lines);
    this.#isAdmitting = this.#due.next <= now();
    this.#setAlarm();
  }

  /** Records when a queue is due next; drops it if it is empty. */
  plan(line: Line): void {
    const { next } = line;
    if (next < Infinity) this.#due.set(line, next);
    else this.#due.delete(line);
    this.#setAlarm();
    this.#idle.delete(line);
    if (line.isEmpty) this.#lines.delete(line.key);
    else if (line.hasNoJobs) this.#idle.set(line, line.full);
  }

  /** Drops queues without jobs whose buckets are full by now. */
  dropIdle(): void {
    for (const line of this.#idle.due(this.#parts.now())) this.plan(line);
  }

  #setAlarm(): void {
    this.#alarm.set(this.#due.next - this.#parts.now());
  }
}
