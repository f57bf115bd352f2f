import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** One request that the sink got. */
export interface SunkRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Manner in which a sink answers; the default is what OTLP asks for. */
export type SinkAnswer = (response: ServerResponse, request: SunkRequest) => void;

/** A collector for tests: takes OTLP over HTTP and keeps it. */
export interface OtlpSink {
  readonly url: string;
  readonly requests: readonly SunkRequest[];
  /** Requests of one signal. */
  of(signal: "traces" | "metrics" | "logs"): readonly SunkRequest[];
  close(): Promise<void>;
}

export const answers = {
  ok: (response) => response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end(),
  unavailable: (response) => response.writeHead(503).end("busy"),
  refused: (response) => response.writeHead(401).end("who are you"),
  hanging: () => {},
  garbage: (response) =>
    response.writeHead(200, { "Content-Type": "text/html" }).end("<html>\u0000\u0001 not protobuf"),
  broken: (response) => response.destroy(),
  endless: (response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(65_536, 120);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  },
} as const satisfies Record<string, SinkAnswer>;

/** Starts a sink on a free port of the loopback. */
export async function startOtlpSink(answer: SinkAnswer = answers.ok): Promise<OtlpSink> {
  const requests: SunkRequest[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
      const sunk: SunkRequest = { path: request.url ?? "", headers: request.headers, body };
      requests.push(sunk);
      answer(response, sunk);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    of: (signal) => requests.filter(({ path }) => path.endsWith(`/v1/${signal}`)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
