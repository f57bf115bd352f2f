import type { Parking, StoredMessage, StoredStep, StepWrite } from "./kept-step.ts";

/** The memory of a job: everything that it has kept, and the way to keep more. */
export interface StepBook {
  /** Kept by this attempt and earlier ones, by their keys. */
  readonly known: ReadonlyMap<string, StoredStep>;
  /**
   * Resolves once it is kept.
   * @throws StaleError when another attempt has the job, or it has ended
   * @throws ToolError `too-large`, or when the store cannot take it
   */
  keep(step: StepWrite): Promise<void>;
  /** The first message of a name, when it is there. */
  message(name: string): StoredMessage | undefined;
  /** Calls the listener when messages may have come; returns a function that stops it. */
  onMessage(listener: () => void): () => void;
  /** Milliseconds until a kept step goes on, by the store's clock. */
  left(key: string): Promise<number>;
  /** Takes the job out of the process until a time or a message. Absent where it must wait in the process. */
  park?(parking: Parking): void;
}
