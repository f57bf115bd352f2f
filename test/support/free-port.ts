import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port of the loopback that nobody listens on, for programs that cannot be told to take any, or that come back to
 * theirs. It is none of those that systems give to connections and to servers without a port: until the program takes
 * it, another test would get it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
