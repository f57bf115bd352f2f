import type { LiveJob } from "./live-job.ts";

/** The place of a waiting job in the order of a queue. */
export interface Turn {
  readonly live: LiveJob;
  /** The smallest one comes first. */
  readonly position: number;
  /** Number by which jobs with the same position are ordered. */
  readonly arrival: number;
}

/** Jobs sorted by their turns. Joining at the end and leaving at the beginning, as most jobs do, moves no other job. */
export class Turns {
  readonly #sorted: (Turn | undefined)[] = [];
  /** Index of the first job. The places before it are empty, and are removed together. */
  #begin = 0;

  get size(): number {
    return this.#sorted.length - this.#begin;
  }

  get first(): LiveJob | undefined {
    return this.#sorted[this.#begin]?.live;
  }

  *[Symbol.iterator](): Generator<LiveJob, void, undefined> {
    for (let index = this.#begin; index < this.#sorted.length; index++) {
      const turn = this.#sorted[index];
      if (turn !== undefined) yield turn.live;
    }
  }

  add(turn: Turn): void {
    const last = this.#sorted.at(-1);
    if (last === undefined || isBefore(last, turn)) this.#sorted.push(turn);
    else this.#sorted.splice(this.#begin + this.before(turn), 0, turn);
  }

  delete(turn: Turn): void {
    const index = this.#begin + this.before(turn);
    if (this.#sorted[index] !== turn) return;
    if (index > this.#begin) {
      this.#sorted.splice(index, 1);
      return;
    }
    this.#sorted[index] = undefined;
    this.#begin++;
    if (this.#begin * 2 < this.#sorted.length) return;
    this.#sorted.splice(0, this.#begin);
    this.#begin = 0;
  }

  /** Number of jobs whose turn comes before a turn. */
  before(turn: Turn): number {
    let [from, to] = [this.#begin, this.#sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const one = this.#sorted[middle];
      if (one !== undefined && isBefore(one, turn)) from = middle + 1;
      else to = middle;
    }
    return from - this.#begin;
  }
}

function isBefore(one: Turn, other: Turn): boolean {
  return one.position < other.position || (one.position === other.position && one.arrival < other.arrival);
}
