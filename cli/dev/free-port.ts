import { createServer } from "node:net";

/** The given port, or the next free one; for `port` 0 the system chooses one later. */
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
