import type { IncomingMessage, ServerResponse } from "node:http";
import { ToolError } from "../../../base/errors.ts";
import { writeAnswer, type Defer } from "./node-exchange.ts";
import { problemAnswer } from "../problem.ts";

/** Minimum size in bytes of a path's answers for which its requests may have to wait for slow readers. */
const spacious = 64 * 1024;
/** Maximum number of paths whose answer sizes are remembered. */
const mostPaths = 1000;
/** Seconds after which a refused caller may retry. */
const retryAfter = 5;

export interface AnswerQueue {
  readonly defer: Defer;
  /** Number of waiting requests. */
  readonly length: number;
  /** Records the length of an answer that is about to be written. */
  learn(response: ServerResponse, length: number): void;
  /** Runs the waiting requests whose answers fit now. */
  goOn(): void;
  /** Refuses the requests that have waited since before this time, by `performance.now()`. */
  refuse(before: number): void;
}

interface Turn {
  readonly response: ServerResponse;
  readonly bytes: number;
  readonly since: number;
  readonly run: () => void;
}

/**
 * Creates a queue in which a request waits while its answer would not fit into the budget beside the answers that wait
 * for their readers. This saves memory, since an answer that does not exist yet takes none. The expected size is that
 * of earlier answers of the path; the first request of a path, and requests with small answers, never wait.
 *
 * @param held Bytes that wait for readers now.
 * @param budget Bytes that may wait.
 */
export function createAnswerQueue(held: () => number, budget: number): AnswerQueue {
  const sizes = new Map<string, number>();
  /** Expected bytes of the answers that are being made. */
  const expected = new Map<ServerResponse, number>();
  let sum = 0;
  let turns: Turn[] = [];

  const settle = (response: ServerResponse): void => {
    sum -= expected.get(response) ?? 0;
    expected.delete(response);
  };
  const fits = (bytes: number): boolean => {
    const others = held() + sum;
    return others === 0 || others + bytes <= budget;
  };
  const start = ({ response, bytes, run }: Turn): void => {
    expected.set(response, bytes);
    sum += bytes;
    response.once("close", () => {
      settle(response);
      goOn();
    });
    run();
  };
  const goOn = (): void => {
    for (let next = turns[0]; next !== undefined && fits(next.bytes); next = turns[0]) {
      turns.shift();
      start(next);
    }
  };

  return {
    defer(request, response, run) {
      const bytes = sizes.size === 0 ? undefined : sizes.get(routeOf(request));
      if (bytes === undefined) return false;
      const turn = { response, bytes, run: () => run(request, response), since: performance.now() };
      if (turns.length === 0 && fits(bytes)) {
        start(turn);
        return true;
      }
      turns.push(turn);
      response.once("close", () => {
        if (!turns.includes(turn)) return;
        turns = turns.filter((one) => one !== turn);
        goOn();
      });
      return true;
    },
    get length() {
      return turns.length;
    },
    learn(response, length) {
      settle(response);
      const route = routeOf(response.req);
      const known = sizes.get(route);
      // The expected size of a path decreases only gradually when its answers become smaller.
      const size = known === undefined ? length : Math.max(length, known - known / 8);
      if (size < spacious) sizes.delete(route);
      else if (known !== undefined || sizes.size < mostPaths) sizes.set(route, size);
    },
    goOn,
    refuse(before) {
      const late = turns.filter(({ since }) => since < before);
      if (late.length === 0) return;
      turns = turns.filter(({ since }) => since >= before);
      const text = "Too many large answers wait for clients that read slowly. Try again later.";
      const answer = problemAnswer(new ToolError("overloaded", text, { retryAfter }));
      for (const { response } of late) writeAnswer(response, answer);
    },
  };
}

/**
 * Returns the path without its query and without the id of a job, so that all results of jobs share one expected size.
 */
function routeOf({ url = "/" }: IncomingMessage): string {
  const end = url.indexOf("?");
  return (end < 0 ? url : url.slice(0, end)).replace(/\/jobs\/[^/]+/, "/jobs");
}
