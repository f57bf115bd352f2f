import { createServer, type IncomingHttpHeaders } from "node:http";

/** Pages of the outside world, for tests. */
export interface StubPages {
  readonly url: string;
  /** Headers of every request that came. */
  readonly requests: readonly IncomingHttpHeaders[];
  stop(): Promise<void>;
}

/** A web site with two pages: `/solar-system.html` and `/moon.html`. Everything else is missing; `/cut` breaks off. */
export async function startStub(): Promise<StubPages> {
  const requests: IncomingHttpHeaders[] = [];
  const pages: Readonly<Record<string, string>> = {
    "/solar-system.html":
      "<title>What Is the Solar&nbsp;System? | Space</title><h1>What is the <b>Solar System</b>?</h1>",
    "/moon.html": `<title>The Moon</title>${"<p>far away</p>".repeat(10)}`,
  };
  const server = createServer((request, response) => {
    requests.push(request.headers);
    const page = pages[request.url ?? ""];
    if (request.url === "/cut") response.socket?.destroy();
    else if (page === undefined) response.writeHead(404).end("nothing here");
    else response.writeHead(200, { "content-type": "text/html" }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    requests,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
