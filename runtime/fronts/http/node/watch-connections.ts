import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Milliseconds during which running out of connections is logged once. */
const quiet = 60_000;

/**
 * Limits the connections of a server, and logs when the limit is reached. `limitByOpenFiles` lowers the limit later.
 *
 * @param connections Maximum number of open connections.
 * @param warn Logs a line.
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
