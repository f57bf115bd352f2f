import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";
import { spansOf } from "../support/otlp-decode.ts";
import { startPostgres, type PostgresServer } from "../support/postgres-server.ts";
import { audience, serveTokenIssuer } from "../support/token-issuer.ts";
import { Changes } from "./changes.ts";

type Span = Readonly<Record<string, unknown>>;

/**
 * The servers around all services: a database, a collector, an issuer of tokens, and one that tools send requests to.
 */
export interface Scene {
  readonly changes: Changes;
  /** Headers of the first request that a tool sent to the path; undefined before it. */
  heard(path: string): IncomingHttpHeaders | undefined;
  readonly echoUrl: string;
  readonly sink: OtlpSink;
  readonly issuerUrl: string;
  readonly postgres: PostgresServer;
  /** A token of a caller, with its scopes. */
  tokenOf(caller: "ann" | "bob"): Promise<string>;
  /** Spans of the trace that have arrived, of both encodings. */
  spans(traceId: string): readonly Span[];
  close(): Promise<void>;
}

const scopes = { ann: "notes:read notes:write", bob: "notes:read" };

export async function openScene(): Promise<Scene> {
  const changes = new Changes();
  // Thousands of cells share the scene, so that each finds its own by a key.
  const heard = new Map<string, IncomingHttpHeaders>();
  const spans = new Map<unknown, Span[]>();
  const echo = createServer(({ url = "", headers }, response) => {
    if (!heard.has(url)) heard.set(url, headers);
    response.end("heard");
    changes.tell();
  });
  // A connection that a tool takes up again is not closed at that moment.
  echo.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const [sink, postgres, issuer] = await Promise.all([
    startOtlpSink((response, { path, headers, body }) => {
      response.writeHead(200).end();
      if (!path.endsWith("/v1/traces")) return;
      const isJson = headers["content-type"] === "application/json";
      for (const span of isJson ? spansOfJson(body) : (spansOf(body) as unknown as readonly Span[])) {
        const others = spans.get(span["traceId"]);
        if (others) others.push(span);
        else spans.set(span["traceId"], [span]);
      }
      changes.tell();
    }),
    startPostgres({ settings: ["max_connections=400"] }),
    serveTokenIssuer(),
  ]);
  return {
    changes,
    heard: (path) => heard.get(path),
    sink,
    postgres,
    issuerUrl: issuer.url,
    echoUrl: `http://127.0.0.1:${(echo.address() as AddressInfo).port}`,
    tokenOf: (caller) => issuer.tokens.token({ sub: caller, scope: scopes[caller], client_id: "promises" }),
    spans: (traceId) => spans.get(traceId) ?? [],
    async close() {
      echo.close();
      echo.closeAllConnections();
      issuer.stop();
      await Promise.all([sink.close(), postgres.stop()]);
    },
  };
}

export { audience };

/** Spans of OTLP in JSON, in the form of those of protobuf. */
function spansOfJson(body: Uint8Array): readonly Span[] {
  const { resourceSpans = [] } = JSON.parse(Buffer.from(body).toString()) as JsonExport;
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      })),
    ),
  );
}

interface JsonExport {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
        readonly [name: string]: unknown;
      }[];
    }[];
  }[];
}
