import type { Cluster } from "node:cluster";
import type { Server } from "node:http";
import type * as Net from "node:net";
import type { Config } from "../../service/config/config.ts";
import { withoutBrackets } from "../../base/loopback.ts";
import { StartError } from "../../base/start-error.ts";

/**
 * Maximum number of connections that wait to be accepted, as far as the system allows. It is high because all clients
 * reconnect at once after a restart; beyond it, a client retries after a second.
 */
const backlog = 4096;

/** Resolves when the server listens. Rejects with a `StartError` that says what to do. */
export function listen(server: Server, { host, port }: Pick<Config, "host" | "port">): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => reject(listenError(error as NodeJS.ErrnoException, host, port));
    server.once("error", refuse);
    const address = withoutBrackets(host);
    try {
      const bound = bind(address, port);
      if (bound === undefined) server.listen({ host: address, port, backlog }, resolve);
      else server.listen(bound, backlog, resolve);
    } catch (error) {
      refuse(error);
    }
  });
}

/**
 * Binds a socket on an address that needs no lookup. With a host name, Node loads its resolver and compiles a pattern
 * for IPv6, which takes longer than listening. Undefined: the server has to resolve the name itself.
 */
function bind(address: string, port: number): Net.BoundSocket | undefined {
  // The class exists since Node 24.21 and 26.4. In a cluster it is not used, since workers share the sockets of their
  // primary.
  const net = process.getBuiltinModule("node:net");
  const { BoundSocket: Bound }: Partial<typeof Net> = net;
  if (Bound === undefined || !net.isIPv4(address) || isClusterWorker()) return undefined;
  return new Bound({ host: address, port });
}

function isClusterWorker(): boolean {
  return (process.getBuiltinModule("node:cluster") as unknown as Cluster).isWorker;
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): StartError {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(`Port ${port} on ${host} is in use. Choose another with --port or PORT, or 0 for any.`);
    case "EACCES":
      return new StartError(
        `Port ${port} on ${host} is not allowed for this user. Choose one from 1024 with --port or PORT.`,
      );
    default:
      return new StartError(
        `Cannot listen on ${host}, port ${port} (${error.code ?? error.message}). Check --host or HOST.`,
      );
  }
}

/** Address of a listening server. */
export function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const bare = withoutBrackets(host);
  // Clients cannot connect to the wildcard address.
  const name = bare === "0.0.0.0" ? "127.0.0.1" : bare === "::" ? "::1" : bare;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
