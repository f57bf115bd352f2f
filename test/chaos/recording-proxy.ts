import { createHash } from "node:crypto";
import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Entry, Write } from "./history.ts";

export interface RecordingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A proxy between workers and the platform that is never killed. It records the jobs given to workers, their writes and
 * the answers. When the platform is down, it cuts the worker's connection, as the platform itself would.
 */
export async function startRecordingProxy(platform: string, write: (entry: Entry) => void): Promise<RecordingProxy> {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(platform);
  const sockets = new Set<Socket>();

  function forward(incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const began = performance.now();
    const record = recorderOf(incoming, body, began, write);
    const { method, url, headers } = incoming;
    const outgoing = ask({ agent, hostname, port, method, path: url, headers });
    const lost = (): void => {
      record(undefined, undefined, Buffer.alloc(0));
      response.socket?.destroy();
    };
    outgoing.on("error", lost);
    // A dead worker waits for no job.
    response.on("close", () => outgoing.destroy());
    outgoing.on("response", async (answer) => {
      const content = await contentOf(answer);
      if (content === undefined) return lost();
      record(answer.statusCode, answer, content);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      return response.end(content);
    });
    outgoing.end(body);
  }

  const server = createServer((incoming, response) => {
    void contentOf(incoming).then((body) => body !== undefined && forward(incoming, body, response));
  });
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await closed;
    },
  };
}

export function digestOf(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
}

type Record_ = (status: number | undefined, answer: IncomingMessage | undefined, content: Buffer) => void;

function recorderOf(incoming: IncomingMessage, body: Buffer, began: number, write: (entry: Entry) => void): Record_ {
  // `/<service>/next_job`, `/<service>/events/<id>`, `/<service>/jobs/<id>/lease`
  const [, , route = "", text = "", below = ""] = (incoming.url?.split("?")[0] ?? "").split("/");
  const id = decodeURIComponent(text);
  if (route === "next_job") {
    return (status, answer, content) => {
      if (status !== 200 || answer === undefined) return;
      const { "job-lease": lease, "job-attempt": attempt } = answer.headers;
      const given = JSON.parse(content.toString()) as { readonly id: string };
      write({ kind: "granted", id: given.id, lease: String(lease), attempt: Number(attempt), at: performance.now() });
    };
  }
  const what = whatOf(route, below);
  if (what === undefined) return () => {};
  const lease = String(incoming.headers["job-lease"]);
  const digest = what === "result" ? { digest: digestOf(body) } : {};
  return (status, _, content) => {
    // A renewal that reports a cancelled job counts as a refusal.
    const told = what === "renewal" && status === 200 && content.length > 0 ? 410 : status;
    write({ kind: "write", what, id, lease, began, ended: performance.now(), status: told, ...digest });
  };
}

function whatOf(route: string, below: string): Write["what"] | undefined {
  if (route === "events") return "event";
  if (route === "results") return "result";
  if (route !== "jobs") return undefined;
  return below === "lease" ? "renewal" : below === "release" ? "release" : undefined;
}

/** Undefined when the connection was cut. */
async function contentOf(message: IncomingMessage): Promise<Buffer | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    return message.complete ? Buffer.concat(chunks) : undefined;
  } catch {
    return undefined;
  }
}
