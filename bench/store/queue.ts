import type { Step } from "./measure.ts";

export interface Queue {
  /** A job from its submission to its stored end. */
  readonly through: Step;
  /** A job that is submitted, and held by whoever submitted it where the queue can do so. */
  readonly submit: Step;
  close(): Promise<void>;
}

/** A job queue on PostgreSQL, made anew in a schema of its own for each measurement. */
export interface QueueContender {
  readonly name: string;
  open(url: string, schema: string): Promise<Queue>;
}
