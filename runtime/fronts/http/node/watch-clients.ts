import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpLimits } from "../../../service/config/http-limits.ts";
import { largeAnswer } from "./announce-large.ts";
import type { NodeServer } from "./node-exchange.ts";
import { limitByOpenFiles } from "./open-files.ts";
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
