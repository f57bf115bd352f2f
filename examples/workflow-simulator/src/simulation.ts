import { setTimeout as sleep } from "node:timers/promises";
import { GenericEvent, type JobContext } from "tenon";
import type { Agent, DelayRange, Phase } from "./presets.ts";
import { TaskEvent } from "./task-event.ts";

/** One workflow in the middle of its play. Everything in it stops when the job is stopped. */
export class Simulation {
  phases = 0;
  agents = 0;
  events = 0;
  readonly #job: JobContext;
  readonly #speed: number;
  readonly #random: () => number;

  constructor(job: JobContext, speed: number, random: () => number) {
    this.#job = job;
    this.#speed = speed;
    this.#random = random;
  }

  /** Reports an event outside of every step. */
  report(options: Readonly<Record<string, unknown>>): void {
    this.#job.report.emit(new GenericEvent("workflow", options));
    this.events++;
  }

  /** A clock: a step for every tick. */
  async tick(totalSeconds: number, everySeconds: number): Promise<void> {
    const ticks = Math.floor(totalSeconds / everySeconds);
    for (let tick = 1; tick <= ticks; tick++) {
      await this.#wait(everySeconds * 1000);
      const name = `timer:tick:${tick}`;
      this.#job.report.stepStarted(name, { message: `Tick ${tick}` });
      this.#job.report.stepFinished(name);
      this.events += 2;
    }
  }

  /** A phase as a step, with its agents at the same time in steps of their own. */
  async play({ id, name, agents, delayRangeMs }: Phase): Promise<void> {
    await this.#pause(delayRangeMs);
    await this.#step(`phase:${id}`, name, async () => {
      await Promise.all(agents.map((agent) => this.#work(agent)));
    });
    this.phases++;
  }

  async #work({ id, name, tasks, delayRangeMs }: Agent): Promise<void> {
    await this.#step(`agent:${id}`, name, async () => {
      for (const [index, task] of tasks.entries()) {
        await this.#pause(delayRangeMs);
        this.#job.report.emit(new TaskEvent(id, task, Math.round(((index + 1) / tasks.length) * 100)));
        this.events++;
      }
    });
    this.agents++;
  }

  async #step(id: string, message: string, body: () => Promise<void>): Promise<void> {
    this.events++;
    await this.#job.report.step(id, { message }, body);
    this.events++;
  }

  #pause([shortest, longest]: DelayRange): Promise<void> {
    return this.#wait(shortest + this.#random() * (longest - shortest));
  }

  #wait(milliseconds: number): Promise<void> {
    return sleep(milliseconds / this.#speed, undefined, { signal: this.#job.signal });
  }
}
