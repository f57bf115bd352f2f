import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { makeJob } from "./jobs.ts";

/** Requests that arrived, counted per shape of client. */
export interface Counts {
  requests: number;
  /** Of another job, or made up. */
  wrongToken: number;
  missingToken: number;
  /** A token at a host that is not local, or on a hop that an external host led to. */
  foreignToken: number;
  wrongJob: number;
  missingJob: number;
  wrongTrace: number;
  /** Under a proxy: external and not forwarded, or forwarded with another address. */
  wrongRoute: number;
  /** Anything of a job on a request that no job made. */
  outside: number;
}

export const wrongs = [
  "wrongToken",
  "missingToken",
  "foreignToken",
  "wrongJob",
  "missingJob",
  "wrongTrace",
  "wrongRoute",
  "outside",
] as const satisfies readonly (keyof Counts)[];

export interface CheckingServer {
  readonly port: number;
  readonly counts: Map<string, Counts>;
  readonly stop: () => Promise<void>;
}

export function noCounts(): Counts {
  return {
    requests: 0,
    wrongToken: 0,
    missingToken: 0,
    foreignToken: 0,
    wrongJob: 0,
    missingJob: 0,
    wrongTrace: 0,
    wrongRoute: 0,
    outside: 0,
  };
}

export function total(counts: Iterable<Counts>): Counts {
  const sum = noCounts();
  for (const one of counts) for (const name of ["requests", ...wrongs] as const) sum[name] += one[name];
  return sum;
}

interface Hop {
  readonly url: URL;
  readonly shape: string;
  /** Undefined: made outside of every job. */
  readonly job: number | undefined;
  /** `plain`, `retry`, or the redirects that are left. */
  readonly way: string;
  readonly tainted: boolean;
}

/**
 * Answers for every host name, half of the time after 1 to 4 ms so that connections are free in another order than they
 * were taken, and checks what each request carries. Paths are `/<shape>/<job or none>/<serial>/<way>`; a way such as
 * `to-external-to-local` redirects. With `proxied` it is the forwarding proxy as well, at `/forward`.
 */
export async function startCheckingServer(proxied: boolean): Promise<CheckingServer> {
  const counts = new Map<string, Counts>();
  const retried = new Set<string>();
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const hop = readHop(request);
      if (hop === undefined) {
        response.writeHead(400).end();
        return;
      }
      const found = counts.get(hop.shape) ?? noCounts();
      counts.set(hop.shape, found);
      check(hop, request.headers, found, proxied, request.url === "/forward");
      if (Math.random() < 0.5) answer(hop, retried, response);
      else setTimeout(() => answer(hop, retried, response), 1 + Math.random() * 3);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    counts,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readHop({ url = "", headers }: IncomingMessage): Hop | undefined {
  const forwarded = headers["platform-forward-url"];
  const full = typeof forwarded === "string" ? URL.parse(forwarded) : URL.parse(`http://${headers.host}${url}`);
  const parts = /^\/([^/]+)\/(none|\d+)\/[^/]+\/([a-z-]+)$/.exec(full?.pathname ?? "");
  if (full === null || parts === null) return undefined;
  const [, shape = "", job, way = ""] = parts;
  return {
    url: full,
    shape,
    job: job === "none" ? undefined : Number(job),
    way,
    tainted: full.searchParams.has("tainted"),
  };
}

function check(hop: Hop, headers: IncomingHttpHeaders, counts: Counts, proxied: boolean, atProxy: boolean): void {
  counts.requests++;
  const { authorization } = headers;
  const id = headers["platform-job-id"];
  const trace = headers["traceparent"];
  if (hop.job === undefined) {
    if ((authorization ?? id ?? trace) !== undefined) counts.outside++;
    return;
  }
  const job = makeJob(hop.job);
  const local = hop.url.hostname.endsWith(".local");
  if (local && !hop.tainted && authorization === undefined) counts.missingToken++;
  if ((!local || hop.tainted) && authorization !== undefined) counts.foreignToken++;
  if (authorization !== undefined && authorization !== job.authorization) counts.wrongToken++;
  if (id === undefined) counts.missingJob++;
  else if (id !== job.id) counts.wrongJob++;
  if (trace !== job.traceparent) counts.wrongTrace++;
  if (atProxy !== (proxied && !local)) counts.wrongRoute++;
}

function answer(hop: Hop, retried: Set<string>, response: ServerResponse): void {
  const { url, way } = hop;
  if (way === "retry" && !retried.has(url.href)) {
    retried.add(url.href);
    response.writeHead(503, { "retry-after": "0" }).end("again");
    return;
  }
  const next = /^to-(local|external|here)(?:-(.*))?$/.exec(way);
  if (next === null) {
    response.writeHead(200, { "content-type": "text/plain" }).end("ok");
    return;
  }
  const [, where = "", rest = "plain"] = next;
  const to = new URL(url);
  if (where !== "here") to.hostname = where === "local" ? "svc.local" : "elsewhere.test";
  to.pathname = `${url.pathname.slice(0, url.pathname.lastIndexOf("/"))}/${rest}`;
  const fromExternal = !url.hostname.endsWith(".local");
  if (fromExternal) to.searchParams.set("tainted", "1");
  // A relative address where it is possible: behind the proxy it must still mean the original host.
  response.writeHead(302, { location: where === "here" ? to.pathname + to.search : to.href }).end();
}
