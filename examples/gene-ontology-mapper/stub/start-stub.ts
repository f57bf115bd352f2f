import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { annotations } from "./annotations.ts";

export interface StubOptions {
  /** Default: one that the system chooses. */
  readonly port?: number;
  /** Milliseconds that every answer takes; default 0. */
  readonly latency?: number;
  /** Every n-th request is answered 503; default never. */
  readonly failEvery?: number;
  /** Accessions for which every request is answered 503. */
  readonly broken?: readonly string[];
  /** Annotations per page at most; default 5, so that some answers have several pages. */
  readonly pageSize?: number;
}

export interface Stub {
  /** For `GO_SERVICE_URL`. */
  readonly url: string;
  /** Query strings of the requests so far. */
  readonly requests: readonly string[];
  /** The highest number of requests that were open at the same time. */
  readonly mostAtOnce: () => number;
  readonly stop: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/**
 * A stand-in for the annotation service on the loopback address: few proteins, pages, latency and a 503 now and then.
 */
export async function startStub(options: StubOptions = {}): Promise<Stub> {
  const requests: string[] = [];
  let open = 0;
  let mostAtOnce = 0;

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://stub");
    const count = requests.push(url.search);
    mostAtOnce = Math.max(mostAtOnce, ++open);
    // The server keeps the process up, not a slow answer that nobody waits for any more.
    await wait(options.latency ?? 0, undefined, { ref: false });
    open--;
    // Counted, not drawn: a test that fails fails again.
    const fails = options.failEvery !== undefined && count % options.failEvery === 0;
    const { status, body } = fails ? { status: 503, body: { messages: ["Overloaded"] } } : answer(url, options);
    response.writeHead(status, { "content-type": "application/json", ...(status === 503 && { "retry-after": "0" }) });
    response.end(JSON.stringify(body));
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    mostAtOnce: () => mostAtOnce,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function answer(url: URL, options: StubOptions): Answer {
  if (url.pathname !== "/annotation/search") return { status: 404, body: { messages: ["No such path"] } };
  const query = url.searchParams;
  const accession = query.get("geneProductId") ?? "";
  if (options.broken?.includes(accession)) return { status: 503, body: { messages: ["Overloaded"] } };
  const known = annotations.filter(({ geneProductId }) => geneProductId === `UniProtKB:${accession}`);
  if (known.length === 0) {
    return {
      status: 400,
      body: { messages: [`The 'Gene Product ID' parameter contains invalid values: ${accession}`] },
    };
  }
  const hits = known.filter(({ goAspect }) => goAspect === (query.get("aspect") ?? goAspect));
  const size = Math.min(Number(query.get("limit") ?? 25), options.pageSize ?? 5);
  const page = Number(query.get("page") ?? 1);
  const results = hits.slice((page - 1) * size, page * size);
  const pageInfo = { resultsPerPage: size, current: page, total: Math.ceil(hits.length / size) };
  return { status: 200, body: { numberOfHits: hits.length, results, pageInfo } };
}
