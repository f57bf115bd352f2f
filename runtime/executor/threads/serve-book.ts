import { StaleError } from "../../job/steps/step-errors.ts";
import type { StepBook } from "../../job/steps/step-book.ts";
import type { RunningJob } from "../running/running-job.ts";
import { type BookAnswer, type BookCall, receiveError, sendError } from "./messages.ts";

/** The parts of a thread that the step record needs. */
export interface BookThread {
  send(answer: BookAnswer): void;
  /** Calls a function once the thread has no job, or another job. */
  onFree(listener: () => void): void;
  /**
   * Terminates the thread. Needed because its job leaves the process, so that the job's function would wait for ever.
   * False if the thread has ended the job already.
   */
  end(): boolean;
}

/** Answers a call of a thread to the step record of its job. Never rejects. */
export async function serveBook(job: RunningJob, call: BookCall, thread: BookThread): Promise<void> {
  if (call.call === "stop") return job.stop(receiveError(call.error));
  try {
    const book = await job.book();
    const answer = await answerOf(book, call, thread);
    if (answer !== undefined) thread.send(answer);
  } catch (thrown) {
    if (!("id" in call)) return;
    const isStale = thrown instanceof StaleError;
    thread.send({ answer: "failed", id: call.id, error: sendError(thrown), isStale });
  }
}

async function answerOf(
  book: StepBook,
  call: Exclude<BookCall, { readonly call: "stop" }>,
  thread: BookThread,
): Promise<BookAnswer | undefined> {
  switch (call.call) {
    case "open":
      return {
        answer: "opened",
        id: call.id,
        steps: [...book.known.values()],
        parks: book.park !== undefined,
      };
    case "keep":
      await book.keep(call.step);
      return { answer: "kept", id: call.id, step: book.known.get(call.step.key) };
    case "left":
      return { answer: "left", id: call.id, left: await book.left(call.key) };
    case "refresh":
      await book.refresh();
      return { answer: "refreshed", id: call.id };
    case "message": {
      const tell = (): void => {
        const message = book.message(call.name);
        if (message !== undefined) thread.send({ answer: "message", message });
      };
      thread.onFree(book.onMessage(tell));
      tell();
      return undefined;
    }
    case "park":
      if (thread.end()) book.park?.(call.parking);
      return undefined;
  }
}
