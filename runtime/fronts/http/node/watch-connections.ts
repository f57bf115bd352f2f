import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Open connections at which the limit of open files is looked up: a crowd may come before anything else is loaded. */
const crowd = 64;
/** Milliseconds in which running out of connections is told once. */
const quiet = 60_000;

/**
 * Limits the connections of a server, also by the files that the process may open, and logs when there are as many as
 * there may be.
 *
 * @param connections Connections that are open at the same time.
 * @param warn Takes a line for the log.
 * @returns The open connections, kept up to date
 */
export function watchConnections(
  server: Server,
  connections: number,
  warn: (line: string) => void,
): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.maxConnections = connections;
  server.on("connection", (socket) => {
    sockets.add(socket);
    if (sockets.size === crowd) limitByOpenFiles(server, crowd);
    socket.once("close", () => sockets.delete(socket));
  });
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
  return sockets;
}

/**
 * Lowers the limit of connections to those for which there are descriptors. Without descriptors left, the system closes
 * connections before Node hears of them.
 *
 * @param connections Connections that are open now.
 * @param openFiles Descriptors that the process may have, and has; undefined where nobody knows.
 */
export function limitByOpenFiles(
  server: Server,
  connections: number,
  openFiles: () => { readonly most: number; readonly now: number } | undefined = readOpenFiles,
): void {
  const files = openFiles();
  if (files === undefined) return;
  // Some stay free for files and requests of the tools.
  const reserve = Math.min(128, Math.max(8, Math.floor(files.most / 8)));
  const spare = Math.max(1, files.most - (files.now - connections) - reserve);
  server.maxConnections = Math.min(server.maxConnections, spare);
}

/** Undefined outside of Linux. */
function readOpenFiles(): { readonly most: number; readonly now: number } | undefined {
  const { readFileSync, readdirSync } = process.getBuiltinModule("node:fs");
  try {
    const [, most = ""] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return most === "" ? undefined : { most: Number(most), now: readdirSync("/proc/self/fd").length };
  } catch {
    return undefined;
  }
}
