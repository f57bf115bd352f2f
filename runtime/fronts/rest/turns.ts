import { ToolError } from "../../base/errors.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import type { Exchange } from "../http/exchange.ts";

/** Maximum number of requests that wait for their turn. */
const mostWaiting = 1000;

/**
 * Runs the task of a request when its turn has come.
 *
 * @throws ToolError `overloaded` when too many wait; `gone` to a caller that has left, and thereby given up its turn
 */
export type Turns = <T>(exchange: Pick<Exchange, "onGone">, task: () => Promise<T>) => Promise<T>;

/** Gives turns, one at a time, to requests of which each may read thousands of jobs, or megabytes of one. */
export function createTurns(): Turns {
  const inTurn = oneAtATime();
  let waiting = 0;
  return async (exchange, task) => {
    if (waiting === mostWaiting)
      throw new ToolError("overloaded", "Too many requests for jobs are waiting. Try again later.");
    let isGone = false;
    exchange.onGone(() => (isGone = true));
    waiting++;
    try {
      return await inTurn(() => {
        if (isGone) throw new ToolError("gone", "The caller has left.");
        return task();
      });
    } finally {
      waiting--;
    }
  };
}
