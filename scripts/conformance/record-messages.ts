import { createServer, request, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request of the suite, without the parts that change with each run. */
export interface RecordedMessage {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Recorder {
  /** Address of the recorder, to be used instead of the endpoint. */
  readonly url: string;
  /** Each message once, in the order of its first occurrence. */
  readonly messages: readonly RecordedMessage[];
  stop(): Promise<void>;
}

const kept = /^(?:accept|content-type|mcp-.*|host|origin)$/;

/** Passes requests on to an endpoint and records them. */
export async function startRecorder(target: string): Promise<Recorder> {
  const known = new Map<string, RecordedMessage>();
  const server = createServer(async (incoming, response) => {
    const { method = "POST", headers } = incoming;
    const body = await buffer(incoming);
    const names = Object.keys(headers).filter(
      (name) => kept.test(name) && (name !== "host" || isForeign(headers[name])),
    );
    const message: RecordedMessage = {
      method,
      headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
      body: body
        .toString()
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "01a00000-0000-7000-8000-000000000000"),
    };
    const key = JSON.stringify([method, message.headers, message.body.replaceAll(/"id":\d+/g, '"id":0')]);
    // A subscription stays open, and a state belongs to the process that created it.
    if (!known.has(key) && !/subscriptions\/listen|"requestState":"ey/.test(message.body)) known.set(key, message);
    const sent = request(target, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      response.on("close", () => answer.destroy());
    });
    sent.on("error", () => response.destroy());
    sent.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    get messages() {
      return [...known.values()];
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isForeign(host: unknown): boolean {
  return !String(host).startsWith("127.0.0.1") && !String(host).startsWith("localhost");
}
