import type { StepWrite } from "./kept-step.ts";
import type { StepBook } from "./step-book.ts";

/**
 * Lets the first end of a step count. A run of the job that has failed may still have steps under way, and a later run
 * may have used what it stored for the same step.
 */
export function firstEnds(book: StepBook): StepBook {
  const write = book.keep.bind(book);
  const ending = new Map<string, Promise<void>>();
  const keep = async (step: StepWrite): Promise<void> => {
    const { key, state } = step;
    if (isEnded(book, key)) return;
    const kept = write(step);
    if (state !== "running") ending.set(key, kept);
    await kept.finally(() => ending.delete(key));
  };
  book.keep = (step) => {
    const again = (): Promise<void> => keep(step);
    return ending.get(step.key)?.then(again, again) ?? keep(step);
  };
  return book;
}

function isEnded({ known }: StepBook, key: string): boolean {
  return (known.get(key)?.state ?? "running") !== "running";
}
