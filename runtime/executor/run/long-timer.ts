/** Maximum delay of a timer of the process. */
const longest = 2 ** 31 - 1;

/** Calls a function after a time of any length. Returns a function that stops the timer. */
export function startTimer(milliseconds: number, callback: () => void): () => void {
  const end = performance.now() + milliseconds;
  let timer: NodeJS.Timeout;
  const run = (): void => {
    const rest = Math.max(0, end - performance.now());
    timer = rest > longest ? setTimeout(run, longest) : setTimeout(callback, rest);
  };
  run();
  return () => clearTimeout(timer);
}
