import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface ConnectionLimits {
  /** Milliseconds without progress that a client may take to read its answer. */
  readonly write: number;
  /** Connections that are open at the same time. */
  readonly connections: number;
}

/** Milliseconds between two looks at all connections, at most. */
const longestRound = 5000;
/** Milliseconds in which running out of connections is told once. */
const quiet = 60_000;

/**
 * Ends connections whose client does not read its answer, and tells when there are as many as there may be. One round for
 * all connections now and then: only those with bytes that wait get a timer, so that an answered request costs nothing.
 *
 * @param warn Takes a line for the log.
 * @param openFiles Descriptors that the process may have, and has without connections; undefined where nobody knows.
 */
export function watchConnections(
  server: Server,
  { write, connections }: ConnectionLimits,
  warn: (line: string) => void,
  openFiles: () => { readonly most: number; readonly now: number } | undefined = readOpenFiles,
): void {
  const sockets = new Set<Socket>();
  // A number that nobody else uses says whose timer it is.
  const patience = write + 0.5;
  server.maxConnections = connections;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const round = (): void => {
    for (const socket of sockets) {
      const isWaiting = socket.writableLength > 0;
      // Node's own timer, which starts anew with each byte that goes out.
      if (isWaiting && socket.timeout !== patience) socket.setTimeout(patience);
      else if (!isWaiting && socket.timeout === patience) socket.setTimeout(0);
    }
  };
  let rounds: NodeJS.Timeout | undefined;
  server.once("listening", () => {
    rounds = setInterval(round, Math.min(longestRound, write / 2)).unref();
    server.maxConnections = Math.min(connections, spare(openFiles()));
  });
  server.once("close", () => clearInterval(rounds));
  let told = -quiet;
  server.on("drop", () => {
    const now = performance.now();
    if (now - told < quiet) return;
    told = now;
    const reason =
      server.maxConnections < connections
        ? "the limit of open files (ulimit -n) allows no more"
        : "TENON_MAX_CONNECTIONS";
    warn(`New connections are refused: ${server.maxConnections} are open (${reason}).`);
  });
}

/** Connections for which there are descriptors; some stay free for files and requests of the tools. */
function spare(files: { readonly most: number; readonly now: number } | undefined): number {
  if (files === undefined) return Number.POSITIVE_INFINITY;
  const reserve = Math.min(128, Math.max(8, Math.floor(files.most / 8)));
  return Math.max(1, files.most - files.now - reserve);
}

/** Undefined outside of Linux. Without descriptors left, the system closes connections before Node hears of them. */
function readOpenFiles(): { readonly most: number; readonly now: number } | undefined {
  const { readFileSync, readdirSync } = process.getBuiltinModule("node:fs");
  try {
    const [, most = ""] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return most === "" ? undefined : { most: Number(most), now: readdirSync("/proc/self/fd").length };
  } catch {
    return undefined;
  }
}
