import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import type { S3Server } from "../support/s3-server.ts";

/** A wrong answer to a request; false: the request goes on to the true store. */
export type Lie = (request: IncomingMessage, response: ServerResponse, store: TrueStore) => boolean;

/** The store behind. */
interface TrueStore {
  /** Asks it, and gives its answer to `answer` in place of the client. */
  ask(request: IncomingMessage, answer: (from: IncomingMessage) => void): void;
  /** An address that nobody may be sent to. */
  readonly elsewhere: string;
}

const code = (name: string): string => `<?xml version="1.0"?><Error><Code>${name}</Code></Error>`;
const refuse =
  (status: number, body: string): Lie =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/xml" }).end(body);
    return true;
  };
/** A text that would be the next answer on the connection if somebody took it for one. */
const smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled";

/** Changes the content of objects that are read. */
const changed =
  (change: (content: string) => string, isDeclared: boolean): Lie =>
  (request, response, store) => {
    if (request.method !== "GET" || request.url?.includes("list-type") === true) return false;
    store.ask(request, async (answer) => {
      const content = Buffer.from(change(await text(answer.setEncoding("latin1"))), "latin1");
      const { "content-range": range } = answer.headers;
      const length = isDeclared ? { "content-length": String(content.length) } : {};
      response.writeHead(answer.statusCode ?? 500, {
        ...length,
        ...(range !== undefined && { "content-range": range }),
      });
      response.flushHeaders();
      response.end(content);
    });
    return true;
  };

/** Answers of a store that is broken, wrong or in somebody else's hands. */
export const lies: Readonly<Record<string, Lie>> = {
  "500 without a word": refuse(500, ""),
  "503 SlowDown": refuse(503, code("SlowDown")),
  "403 AccessDenied": refuse(403, code("AccessDenied")),
  "404 NoSuchKey": refuse(404, code("NoSuchKey")),
  "an error with status 200": refuse(200, code("InternalError")),
  "a page in place of an answer": refuse(200, "<!doctype html><title>Sign in</title>"),
  "another range": (request, response) => {
    if (request.method !== "GET" || request.url?.includes("list-type") === true) return false;
    response.writeHead(206, { "content-range": "bytes 0-9/100000" }).end("0123456789");
    return true;
  },
  "a redirect to another host": (request, response, { elsewhere }) => {
    request.resume();
    response.writeHead(307, { location: elsewhere }).end();
    return true;
  },
  "an error that never ends": (request, response) => {
    request.resume();
    response.writeHead(500);
    const piece = Buffer.alloc(1_000_000, "x");
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
    return true;
  },
  "a list that never ends": (request, response) => {
    if (request.url?.includes("list-type") !== true) return false;
    const next = "<NextContinuationToken>again</NextContinuationToken>";
    return refuse(200, `<ListBucketResult>${next}</ListBucketResult>`)(request, response, never);
  },
  "a byte less, as it says": changed((content) => content.slice(0, -1), true),
  "a byte less, without a length": changed((content) => content.slice(0, -1), false),
  "nothing, without a length": changed(() => "", false),
  "another answer behind, as it says": changed((content) => content + smuggled, true),
  "another answer behind, without a length": changed((content) => content + smuggled, false),
  "a reset": (request) => {
    request.socket.resetAndDestroy();
    return true;
  },
  "a cut in the middle": (request, response, store) => {
    if (request.method !== "GET") return false;
    store.ask(request, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.once("data", (chunk: Buffer) => {
        response.write(chunk.subarray(0, chunk.length / 2), () => request.socket.destroy());
      });
    });
    return true;
  },
  "what is no HTTP": (request) => {
    request.socket.end("SSH-2.0-OpenSSH_9.2\r\n");
    return true;
  },
  "a head of 100 kB": (request, response) => {
    request.resume();
    request.socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(100_000)}\r\n\r\n`);
    response.destroy();
    return true;
  },
};

const never: TrueStore = { ask: () => {}, elsewhere: "" };

export interface LyingStore {
  readonly url: string;
  /** Its answer from now on; undefined: the true one. */
  lie: Lie | undefined;
  /** Requests that came where nobody may be sent to. */
  readonly misled: () => number;
  stop(): Promise<void>;
}

/** A store in front of a true one, which says what it is told to. */
export async function startLyingStore(s3: S3Server): Promise<LyingStore> {
  let misled = 0;
  const listen = async (server: ReturnType<typeof createServer>): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const other = createServer((request, response) => {
    misled++;
    request.resume();
    response.end();
  });
  const store: TrueStore = {
    elsewhere: await listen(other),
    ask({ method = "GET", url = "/", headers }, answer) {
      send(`${s3.url}${url}`, { method, headers, agent: false }, answer).end();
    },
  };
  const lying: { lie: Lie | undefined } = { lie: undefined };
  const server = createServer((request, response) => {
    response.on("error", () => {});
    request.on("error", () => {});
    if (lying.lie?.(request, response, store) === true) return;
    const { method = "GET", url = "/", headers } = request;
    // A store has an object once all of it has come; the one of the tests would have a part of it.
    buffer(request).then(
      (body) => {
        const asked = send(`${s3.url}${url}`, { method, headers, agent: false }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
        asked.on("error", () => response.destroy());
        asked.end(body);
      },
      () => response.destroy(),
    );
  });
  const url = await listen(server);
  return Object.assign(lying, {
    url,
    misled: () => misled,
    async stop() {
      for (const one of [server, other]) {
        one.closeAllConnections();
        await new Promise((resolve) => one.close(resolve));
      }
    },
  });
}
