import { createServer } from "node:net";

/** The port itself, or the next one that nobody listens on; `port` 0 is chosen by the system later. */
export async function nextFreePort(port: number, host: string): Promise<number> {
  if (port === 0) return port;
  for (let next = port; next <= 65_535; next++) if (!(await isTaken(next, host))) return next;
  return port;
}

/** Other errors, such as a host that does not exist, are reported when the server itself listens. */
function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE"));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}
