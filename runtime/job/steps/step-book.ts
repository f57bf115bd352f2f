import type { Parking, StoredMessage, StoredStep, StepWrite } from "./kept-step.ts";

/** The step record of a job: the steps that it has stored, and methods to store more. */
export interface StepBook {
  /** Steps that this attempt and earlier ones have stored, by key. */
  readonly known: ReadonlyMap<string, StoredStep>;
  /**
   * Stores a step; resolves once it is stored.
   *
   * @throws StaleError when another attempt has the job, or the job has ended
   * @throws ToolError `invalid-result` for a value above the limit, or when the store fails
   */
  keep(step: StepWrite): Promise<void>;
  /** Returns the first message of a name, if it has arrived. */
  message(name: string): StoredMessage | undefined;
  /** Calls the listener when messages have arrived; returns a function that unsubscribes it. */
  onMessage(listener: () => void): () => void;
  /** Reads the messages anew, so that {@link message} finds every message that has been accepted before this call. */
  refresh(): Promise<void>;
  /** Milliseconds until a durable step is due to resume (after a sleep or a retry delay), by the store's clock. */
  left(key: string): Promise<number>;
  /** Takes the job out of the process until a time or a message. Absent if the job must wait in the process. */
  park?(parking: Parking): void;
}
