import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { fakeArtifacts, send, type FakeArtifacts, type PlatformCall } from "./fake-artifacts.ts";

/** Fault of the next call of a route. A number is a status; `dead` does it and cuts the answer. */
export type PlatformFault =
  | number
  | "reset"
  | "dead"
  | "hang"
  | "truncated"
  | "redirect"
  | "web-page"
  | "huge"
  | "garble";

type Item = Record<string, unknown>;

export interface FakePlatform {
  readonly url: string;
  readonly calls: readonly PlatformCall[];
  readonly artifacts: FakeArtifacts["all"];
  readonly aspects: Map<string, Item>;
  readonly services: Item[];
  /** Answers of the jobs of services: how many times they are pending, then the record. */
  readonly jobs: Map<string, { pending: number; record: Item; events: Item[] }>;
  /** Answer of `POST …/jobs`. */
  submit: (data: unknown) => { status: number; body?: unknown; headers?: Record<string, string> };
  /** The next calls with that method (and a path that begins so) meet these faults, one each. */
  fail(method: string, path: string, ...faults: readonly PlatformFault[]): void;
  readonly put: FakeArtifacts["put"];
  readonly statusOfWhole: FakeArtifacts["statusOfWhole"];
  close(): Promise<void>;
}

/**
 * A platform over real HTTP: artifacts (range, resumable upload), aspects and services with pages, jobs with events.
 */
export async function fakePlatform(): Promise<FakePlatform> {
  const calls: PlatformCall[] = [];
  const faults: { method: string; path: string; fault: PlatformFault }[] = [];
  const sockets = new Set<Socket>();
  let count = 0;
  const artifacts = fakeArtifacts(() => ++count);

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const call = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      calls.push(call);
      const at = faults.findIndex(({ method, path }) => method === call.method && call.url.startsWith(path));
      const [met] = at < 0 ? [] : faults.splice(at, 1);
      if (met === undefined) answer(call, response);
      else meet(met.fault, call, response);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });

  function answer(call: PlatformCall, response: ServerResponse): void {
    const url = new URL(call.url, "http://fake/");
    const [first = "", ...segments] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    if (first === "artifacts") artifacts.answer(call, segments, response);
    else if (first === "aspects") aspect(call, segments, url.searchParams, response);
    else if (first === "services2") service(call, segments, url.searchParams, response);
    else send(response, 404, { message: "no such route" });
  }

  function aspect(
    { method, body }: PlatformCall,
    [urn]: string[],
    query: URLSearchParams,
    response: ServerResponse,
  ): void {
    if (urn !== undefined) {
      const stored = platform.aspects.get(urn);
      if (stored === undefined) return send(response, 404, { message: "no aspect", id: urn });
      if (method === "DELETE") stored["valid-to"] = "2026-01-02T00:00:00Z";
      return send(response, 200, stored);
    }
    if (method === "GET") {
      const schema = (query.get("schema") ?? "%").replace("%", "");
      const wanted = (item: Item): boolean =>
        item["valid-to"] === undefined &&
        (query.get("entity") ?? item["entity"]) === item["entity"] &&
        String(item["schema"]).startsWith(schema);
      return page([...platform.aspects.values()].filter(wanted), query, "aspects", response);
    }
    const id = `urn:platform:aspect:${++count}`;
    const item = {
      id,
      entity: query.get("entity"),
      schema: query.get("schema"),
      content: JSON.parse(body.toString()) as unknown,
      "content-type": "application/json",
      "valid-from": "2026-01-01T00:00:00Z",
    };
    platform.aspects.set(id, item);
    return send(response, 200, item);
  }

  function service(call: PlatformCall, segments: string[], query: URLSearchParams, response: ServerResponse): void {
    const [, jobs, job, events] = segments;
    if (jobs === undefined) {
      const name = /^name~='(.*)'$/.exec(query.get("filter") ?? "name~=''")?.[1]?.replaceAll("''", "'") ?? "";
      const found = platform.services.filter((item) => String(item["name"]).includes(name));
      return page(found, query, "services2", response);
    }
    if (job === undefined) {
      const { status, body, headers } = platform.submit(JSON.parse(call.body.toString()));
      return send(response, status, body, headers);
    }
    const known = platform.jobs.get(job);
    if (known === undefined) return send(response, 404, { message: "no job" });
    if (events !== undefined) {
      const after = Number(call.headers["last-event-id"] ?? -1);
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      for (const [index, event] of known.events.entries()) {
        if (index > after) response.write(`id: ${index}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`);
      }
      response.end();
      return undefined;
    }
    if (known.pending-- > 0) return send(response, 200, { id: job, status: "executing" });
    return send(response, 200, { id: job, ...known.record });
  }

  function page(items: Item[], query: URLSearchParams, route: string, response: ServerResponse): void {
    const start = Number(query.get("page") ?? 0);
    const end = start + Number(query.get("limit") ?? 10);
    const href = `http://elsewhere.example/1/${route}?page=${end}`;
    const links =
      end < items.length
        ? [
            { rel: "self", href: "x" },
            { rel: "next", href },
          ]
        : [];
    send(response, 200, { items: items.slice(start, end), "at-time": "2026-01-01T00:00:00Z", links });
  }

  function meet(fault: PlatformFault, call: PlatformCall, response: ServerResponse): void {
    const cut = (): void => void response.socket?.destroy();
    if (typeof fault === "number") send(response, fault, { message: "made up" });
    else if (fault === "reset") response.socket?.resetAndDestroy();
    else if (fault === "redirect") response.writeHead(302, { Location: "http://127.0.0.1:1/elsewhere" }).end();
    else if (fault === "web-page")
      response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Welcome!</html>");
    else if (fault === "huge") {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(Buffer.alloc(33 * 1024 * 1024, " "));
    } else if (fault === "dead") {
      const { socket } = response;
      response.end = ((): ServerResponse => {
        socket?.destroy();
        return response;
      }) as ServerResponse["end"];
      answer(call, response);
    } else if (fault === "truncated") {
      response.end = ((content: Buffer | string): ServerResponse => {
        const part = Buffer.from(content as string);
        response.write(part.subarray(0, part.length / 2), () => setImmediate(cut));
        return response;
      }) as ServerResponse["end"];
      answer(call, response);
    } else if (fault === "garble") {
      answer({ ...call, body: Buffer.from([...call.body].map((byte) => byte ^ 1)) }, response);
    }
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const platform: FakePlatform = {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    calls,
    artifacts: artifacts.all,
    aspects: new Map(),
    services: [],
    jobs: new Map(),
    submit: () => ({ status: 500 }),
    fail: (method, path, ...list) => void faults.push(...list.map((fault) => ({ method, path, fault }))),
    put: artifacts.put,
    statusOfWhole: artifacts.statusOfWhole,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return platform;
}
