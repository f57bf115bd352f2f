import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface PipelineLimits {
  /** Maximum number of requests of one connection that run at the same time after an unanswered one. */
  readonly running: number;
  /**
   * Maximum number of requests that wait for their turn, on all connections together. Each takes about three kilobytes.
   */
  readonly waiting: number;
}

const defaultLimits: PipelineLimits = { running: 64, waiting: 10_000 };
/** Milliseconds during which cut connections are logged once. */
const quiet = 60_000;

/** Runs a request that was sent before an earlier one was answered: at once, later, or never. */
export type Pipeline = (request: IncomingMessage, response: ServerResponse, run: () => void) => void;

interface Waiting {
  running: number;
  isScheduled: boolean;
  willPause: boolean;
  readonly turns: (() => void)[];
}

/**
 * Limits the requests that a client sends before it has an answer (HTTP pipelining): one packet can contain thousands.
 * Requests over the limit wait, other connections are served in between, and nothing more is read from the connection
 * until all of them run. If too many would wait, the connection is cut. Node keeps the order of the answers.
 *
 * @param warn Logs a line.
 */
export function createPipeline(warn: (line: string) => void, limits: PipelineLimits = defaultLimits): Pipeline {
  const connections = new Map<Socket, Waiting>();
  let waiting = 0;
  let told = -quiet;

  const waitingOf = (socket: Socket): Waiting => {
    let known = connections.get(socket);
    if (known === undefined) {
      connections.set(socket, (known = { running: 0, isScheduled: false, willPause: false, turns: [] }));
      socket.once("close", () => forget(socket));
    }
    return known;
  };
  const forget = (socket: Socket): void => {
    waiting -= connections.get(socket)?.turns.length ?? 0;
    connections.delete(socket);
  };
  const cut = (socket: Socket): void => {
    forget(socket);
    socket.destroy();
    if (performance.now() - told < quiet) return;
    told = performance.now();
    warn(`A connection was cut: more than ${limits.waiting} requests waited behind unanswered ones (pipelining).`);
  };
  const start = (own: Waiting, response: ServerResponse, run: () => void, ended: () => void): void => {
    own.running++;
    response.once("close", ended);
    run();
  };
  /** Runs the next requests in the next round of the event loop, so that other connections are served in between. */
  const schedule = (socket: Socket, own: Waiting): void => {
    if (own.isScheduled) return;
    own.isScheduled = true;
    setImmediate(() => {
      own.isScheduled = false;
      if (connections.get(socket) !== own) return;
      const turns = own.turns.splice(0, limits.running);
      waiting -= turns.length;
      for (const turn of turns) turn();
      // Node pauses the socket itself while answers wait to be read, and resumes it by itself.
      const { _paused: isFull } = socket as { readonly _paused?: boolean };
      if (own.turns.length === 0 && isFull !== true) socket.resume();
    });
  };

  /** Node resumes reading at the end of each request of a packet, so the pause must come after the whole packet. */
  const pauseLater = (socket: Socket, own: Waiting): void => {
    if (own.willPause) return;
    own.willPause = true;
    process.nextTick(() => {
      own.willPause = false;
      socket.pause();
    });
  };

  return (request, response, run) => {
    const { socket } = request;
    // Requests that arrive after the connection was cut are ignored: the same packet may contain more of them.
    if (socket.destroyed) return;
    const own = waitingOf(socket);
    const ended = (): void => {
      if (--own.running === 0 && own.turns.length > 0) schedule(socket, own);
    };
    if (own.running < limits.running && own.turns.length === 0) {
      start(own, response, run, ended);
      return;
    }
    if (waiting >= limits.waiting) {
      cut(socket);
      return;
    }
    waiting++;
    own.turns.push(() => start(own, response, run, ended));
    pauseLater(socket, own);
  };
}
