import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { fakeArtifacts, send, type FakeArtifacts } from "./fake-artifacts.ts";

/** The call that a fault is for. */
export type Phase = "fetch" | "event" | "result" | "lease" | "release" | "artifact";

/** Fault of a call. A number is a status; `dead` commits the call and cuts the answer; `none`: not at all. */
export type Fault =
  | "none"
  | "reset"
  | "hang"
  | "slow"
  | "garbage"
  | "truncated"
  | "wrong-type"
  | "redirect"
  | "huge"
  | "dead"
  | number;

/** A job as the platform would give it. */
export interface FakeJob {
  readonly id: string;
  readonly content?: unknown;
  readonly contentType?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call, as it came. */
export interface Exchange {
  readonly phase: Phase | "other";
  readonly method: string;
  readonly url: string;
  /** Job id out of the path, decoded. */
  readonly id: string | undefined;
  readonly headers: IncomingMessage["headers"];
  /** As JSON when it says so, else as text. */
  readonly body: unknown;
  readonly bytes: Buffer;
  readonly at: number;
  /** The fault that it met. */
  readonly fault: Fault | undefined;
  readonly status: number;
}

export interface FakeSidecar {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  readonly artifacts: FakeArtifacts;
  /** Calls of a phase that were taken, so without those that met a fault (but `slow` and `dead`). */
  taken(phase: Phase): readonly Exchange[];
  /** Puts jobs into the queue. */
  add(...jobs: readonly FakeJob[]): void;
  /** No more jobs: the done marker, as body or as 410. */
  finish(how?: "marker" | 410): void;
  /** The next `count` calls of a phase meet a fault; Infinity until `heal`. */
  fail(phase: Phase, fault: Fault, count?: number): void;
  heal(): void;
  /** Answers a phase by hand; undefined goes on as usual. */
  answer(
    phase: Phase,
    by: (exchange: Exchange) => { status: number; body?: unknown; headers?: Record<string, string> } | undefined,
  ): void;
  /** Resolves when the condition holds; looked at after every exchange. */
  until(condition: (exchanges: readonly Exchange[]) => boolean): Promise<void>;
  /** Stops listening and cuts all connections; `resume` listens on the same port again. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** A sidecar over real HTTP whose every answer a test can decide. With `leases` it fences as the platform does. */
export async function fakeSidecar(options: { readonly leases?: number } = {}): Promise<FakeSidecar> {
  const exchanges: Exchange[] = [];
  const queue: FakeJob[] = [];
  const faults = new Map<Phase, { fault: Fault; count: number }[]>();
  const answers = new Map<Phase, Parameters<FakeSidecar["answer"]>[1]>();
  const watchers = new Set<() => void>();
  const attempts = new Map<string, number>();
  const sockets = new Set<Socket>();
  let finished: "marker" | 410 | undefined;
  let made = 0;
  const artifacts = fakeArtifacts(() => ++made);

  function next(response: ServerResponse): void {
    const job = queue.shift();
    if (job === undefined) {
      if (finished === 410) return send(response, 410);
      if (finished === "marker") return send(response, 200, { $schema: "urn:platform:schema.service.batch.done.1" });
      return send(response, 204, undefined, { "Retry-After": "0.05" });
    }
    const { id, content = {}, contentType = "application/json", token, headers = {} } = job;
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const lease = {
      "Job-Attempt": String(attempt),
      "Job-Lease": `lease-${attempt}`,
      "Job-Lease-Seconds": String(options.leases),
    };
    send(
      response,
      200,
      { id, "in-content-type": contentType, "in-content": content },
      {
        ...(token !== undefined && { Authorization: token }),
        ...(options.leases !== undefined && lease),
        ...headers,
      },
    );
  }

  function isStale(exchange: Exchange): boolean {
    if (options.leases === undefined || exchange.id === undefined || exchange.phase === "artifact") return false;
    return exchange.headers["job-attempt"] !== String(attempts.get(exchange.id));
  }

  function usual(exchange: Exchange, response: ServerResponse): void {
    if (exchange.phase === "fetch") next(response);
    else if (exchange.phase === "other") send(response, 404);
    else if (exchange.phase === "artifact") {
      const segments = (exchange.url.split("?")[0] ?? "").split("/").slice(2).map(decodeURIComponent);
      artifacts.answer({ ...exchange, body: exchange.bytes }, segments, response);
    } else send(response, isStale(exchange) ? 409 : 204);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const { phase, id } = phaseOf(request);
      const fault = phase === "other" ? undefined : takeFault(phase);
      const record = {
        phase,
        id,
        fault,
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        bytes,
        body: bodyOf(request, bytes),
        at: performance.now(),
      };
      const entry: Exchange = { ...record, status: 0 };
      exchanges.push(entry);
      setImmediate(notify);
      response.on("finish", () => Object.assign(entry, { status: response.statusCode }));
      response.on("close", () => setImmediate(notify));
      if (fault === undefined) {
        const own = phase === "other" ? undefined : answers.get(phase)?.(entry);
        if (own === undefined) usual(entry, response);
        else send(response, own.status, own.body, own.headers);
      } else meet(fault, () => usual(entry, response), response);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });

  function takeFault(phase: Phase): Fault | undefined {
    const [first] = faults.get(phase) ?? [];
    if (first === undefined) return undefined;
    first.count--;
    if (first.count <= 0) faults.get(phase)?.shift();
    return first.fault === "none" ? undefined : first.fault;
  }

  function notify(): void {
    for (const watcher of watchers) watcher();
  }

  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    artifacts,
    taken: (phase) =>
      exchanges.filter(
        (one) => one.phase === phase && (one.fault === undefined || one.fault === "dead" || one.fault === "slow"),
      ),
    add: (...jobs) => void queue.push(...jobs),
    finish: (how = "marker") => void (finished = how),
    fail(phase, fault, count = 1) {
      faults.set(phase, [...(faults.get(phase) ?? []), { fault, count }]);
    },
    heal: () => faults.clear(),
    answer: (phase, by) => void answers.set(phase, by),
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition(exchanges)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    pause: stop,
    resume: () => listen(port),
    close: stop,
  };
}

function phaseOf({ method, url = "" }: IncomingMessage): { phase: Phase | "other"; id: string | undefined } {
  const [, first = "", second = "", third = ""] = (url.split("?")[0] ?? "").split("/");
  const id = second === "" ? undefined : decodeURIComponent(second);
  if (method === "GET" && first === "next_job") return { phase: "fetch", id: undefined };
  if (method === "POST" && first === "events") return { phase: "event", id };
  if (method === "POST" && first === "results") return { phase: "result", id };
  if (method === "POST" && first === "jobs" && (third === "lease" || third === "release")) return { phase: third, id };
  if (first === "artifacts") return { phase: "artifact", id };
  return { phase: "other", id };
}

function bodyOf({ headers }: IncomingMessage, bytes: Buffer): unknown {
  const isJson = (headers["content-type"] ?? "").startsWith("application/json") && bytes.length > 0;
  return isJson ? JSON.parse(bytes.toString()) : bytes.toString();
}

function meet(fault: Fault, usual: () => void, response: ServerResponse): void {
  switch (fault) {
    case "reset":
      response.socket?.resetAndDestroy();
      break;
    case "none":
    case "hang":
      break;
    case "slow":
      setTimeout(usual, 150);
      break;
    case "garbage":
      response.socket?.end("\u0000\u0001 this is no HTTP \r\n\r\n");
      break;
    case "truncated":
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
      response.write('{"id": "urn:platform:job:half", "in-con');
      setImmediate(() => response.socket?.destroy());
      break;
    case "wrong-type":
      response.writeHead(200, { "Content-Type": "text/html" }).end("<html>It works!</html>");
      break;
    case "redirect":
      response.writeHead(302, { Location: "http://127.0.0.1:1/elsewhere" }).end();
      break;
    case "huge":
      pour(response);
      break;
    case "dead": {
      // The call has had its effect; only the answer is lost.
      const socket = response.socket;
      setImmediate(() => socket?.destroy());
      break;
    }
    default:
      send(response, fault, { error: "made up" });
  }
}

function pour(response: ServerResponse): void {
  const block = Buffer.alloc(1024 * 1024, "x");
  response.writeHead(200, { "Content-Type": "application/json" });
  let left = 100;
  const more = (): void => {
    while (left-- > 0) if (!response.write(block)) return void response.once("drain", more);
    response.end();
  };
  more();
}
