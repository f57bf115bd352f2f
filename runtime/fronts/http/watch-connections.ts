import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Milliseconds in which running out of connections is told once. */
const quiet = 60_000;

/**
 * Limits the connections of a server, and tells when there are as many as there may be.
 *
 * @param connections Connections that are open at the same time.
 * @param warn Takes a line for the log.
 * @param openFiles Descriptors that the process may have, and has without connections; undefined where nobody knows.
 * @returns The open connections, kept up to date
 */
export function watchConnections(
  server: Server,
  connections: number,
  warn: (line: string) => void,
  openFiles: () => { readonly most: number; readonly now: number } | undefined = readOpenFiles,
): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.maxConnections = connections;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.once("listening", () => {
    server.maxConnections = Math.min(connections, spare(openFiles()));
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
