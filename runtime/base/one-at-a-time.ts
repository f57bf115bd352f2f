/** Milliseconds for which a task makes the next one wait at most. */
const longestPause = 20;

/**
 * Resolves after as many milliseconds as a task has taken, up to a limit, so that tasks take half of the processor at
 * most. A number of turns of the event loop would be seconds in a busy process.
 */
export async function letOthersWork(took: number): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, Math.min(took, longestPause)));
}

/** Makes a function that runs large tasks one after the other; between them, the event loop serves everything else. */
export function oneAtATime(): <T>(task: () => T | Promise<T>) => Promise<T> {
  let last = Promise.resolve();
  return (task) => {
    let began = 0;
    const ended = last.then(() => {
      began = performance.now();
      return task();
    });
    const pause = async (): Promise<void> => letOthersWork(performance.now() - began);
    last = ended.then(pause, pause);
    return ended;
  };
}
