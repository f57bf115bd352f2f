import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpLimits } from "../../../service/config/http-limits.ts";
import { largeAnswer } from "./announce-large.ts";
import type { NodeServer } from "./node-exchange.ts";
import { createPipeline } from "./pipelined.ts";
import { watchReaders } from "./slow-readers.ts";

/** A large answer that was written before its reader was watched. */
export type EarlyAnswer = readonly [response: ServerResponse, length: number];

/**
 * Limits what clients can make a server buffer: connections, pipelined requests, and answers that are not read.
 *
 * @param sockets The open connections of `server`.
 * @param early Large answers that were written before this call.
 * @param warn Logs a line.
 */
export function watchClients(
  server: Server,
  sockets: ReadonlySet<Socket>,
  {
    limits,
    early,
    warn,
  }: { readonly limits: HttpLimits; readonly early: readonly EarlyAnswer[]; readonly warn: (line: string) => void },
): Pick<NodeServer, "pipeline" | "defer"> {
  limitByOpenFiles(server, sockets.size);
  const defer = watchReaders(server, sockets, limits, warn);
  for (const [response, length] of early) if (!response.closed) server.emit(largeAnswer, response, length);
  return { pipeline: createPipeline(warn), defer };
}

/**
 * Lowers the limit of connections to the number of available file descriptors. When they run out, the system closes
 * connections before Node is notified of them.
 *
 * @param connections Connections that are open now.
 * @param openFiles Maximum and current number of the process's descriptors; undefined if they are unknown.
 */
export function limitByOpenFiles(
  server: Server,
  connections: number,
  openFiles: () => { readonly most: number; readonly now: number } | undefined = readOpenFiles,
): void {
  const files = openFiles();
  if (files === undefined) return;
  // Some descriptors remain free for files and requests of the tools.
  const reserve = Math.min(128, Math.max(8, Math.floor(files.most / 8)));
  const spare = Math.max(1, files.most - (files.now - connections) - reserve);
  server.maxConnections = Math.min(server.maxConnections, spare);
}

/** Reads the limits on open files; undefined outside of Linux. */
function readOpenFiles(): { readonly most: number; readonly now: number } | undefined {
  const { readFileSync, readdirSync } = process.getBuiltinModule("node:fs");
  try {
    const [, most = ""] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return most === "" ? undefined : { most: Number(most), now: readdirSync("/proc/self/fd").length };
  } catch {
    return undefined;
  }
}
