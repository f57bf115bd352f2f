/** Turns of the event loop after each task, since each turn accepts one new connection. */
const turnsOfOthers = 50;

/** Resolves when the event loop has served everything else for some turns. */
export async function letOthersWork(): Promise<void> {
  for (let turn = 0; turn < turnsOfOthers; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Makes a function that runs large tasks one after the other; between them, the event loop serves everything else. */
export function oneAtATime(): <T>(task: () => T | Promise<T>) => Promise<T> {
  let last = Promise.resolve();
  return (task) => {
    const ended = last.then(task);
    last = ended.then(letOthersWork, letOthersWork);
    return ended;
  };
}
