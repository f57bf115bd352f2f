import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Recorder {
  readonly port: number;
  /** Requests since the last call, in order. */
  readonly take: () => readonly Recorded[];
  /** Answers from here on; `200 ok` without. */
  answer: (request: Recorded, response: ServerResponse) => void;
  readonly stop: () => Promise<void>;
}

/** A server that remembers what it is asked. */
export async function startRecorder(): Promise<Recorder> {
  let seen: Recorded[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const recorded = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(recorded);
      recorder.answer(recorded, response);
    });
  });
  // Also a tunnel, to itself whatever is asked for.
  server.on("connect", ({ method = "", url = "", headers }, socket) => {
    seen.push({ method, url, headers, body: "" });
    const { port } = server.address() as AddressInfo;
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    const end = (): void => void (target.destroy(), socket.destroy());
    target.on("error", end).on("close", end);
    socket.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const recorder: Recorder = {
    port: (server.address() as AddressInfo).port,
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    answer: (_, response) => void response.end("ok"),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return recorder;
}
