import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { startOtlpSink } from "../support/otlp-sink.ts";
import type { OtlpSink } from "../support/otlp-sink.ts";
import { spansOf } from "../support/otlp-decode.ts";
import { startPostgres } from "../support/postgres-server.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { audience, serveTokenIssuer } from "../support/token-issuer.ts";
import { Changes } from "./changes.ts";

/** A request that a tool has sent. */
export interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** The servers around all services: a database, a collector, an issuer of tokens, and one that tools send requests to. */
export interface Scene {
  readonly changes: Changes;
  readonly heard: readonly Heard[];
  readonly echoUrl: string;
  readonly sink: OtlpSink;
  readonly issuerUrl: string;
  readonly postgres: PostgresServer;
  /** A token of a caller, with its scopes. */
  tokenOf(caller: "ann" | "bob"): Promise<string>;
  /** Spans that have arrived, of both encodings. */
  spans(): readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

const scopes = { ann: "notes:read notes:write", bob: "notes:read" };

export async function openScene(): Promise<Scene> {
  const changes = new Changes();
  const heard: Heard[] = [];
  const echo = createServer(({ url = "", headers }, response) => {
    heard.push({ path: url, headers });
    response.end("heard");
    changes.tell();
  });
  // A connection that a tool takes up again is not closed at that moment.
  echo.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const [sink, postgres, issuer] = await Promise.all([
    startOtlpSink((response) => {
      response.writeHead(200).end();
      changes.tell();
    }),
    startPostgres({ settings: ["max_connections=400"] }),
    serveTokenIssuer(),
  ]);
  const spans: Readonly<Record<string, unknown>>[] = [];
  let read = 0;
  return {
    changes,
    heard,
    sink,
    postgres,
    issuerUrl: issuer.url,
    echoUrl: `http://127.0.0.1:${(echo.address() as AddressInfo).port}`,
    tokenOf: (caller) => issuer.tokens.token({ sub: caller, scope: scopes[caller], client_id: "promises" }),
    spans() {
      const requests = sink.of("traces");
      for (const { headers, body } of requests.slice(read))
        spans.push(...(headers["content-type"] === "application/json" ? spansOfJson(body) : (spansOf(body) as never)));
      read = requests.length;
      return spans;
    },
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
function spansOfJson(body: Uint8Array): readonly Readonly<Record<string, unknown>>[] {
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
