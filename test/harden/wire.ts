import { connect, type Socket } from "node:net";

/** Milliseconds without a byte after which a request has no answer: on a busy machine the best server takes seconds. */
const answerPatience = 60_000;

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Outcome of many requests. */
export interface Tally {
  sent: number;
  /** Answers by the first digit of their status. */
  readonly classes: Map<number, number>;
  /** Requests without an answer: the connection was closed, or nothing came for a minute. */
  unanswered: number;
  /** Milliseconds from sending a request to its answer, the longest of all. */
  slowest: number;
  /** The first requests that were answered by a 5xx, or not at all, for whoever looks into it. */
  readonly examples: string[];
}

export function emptyTally(): Tally {
  return { sent: 0, classes: new Map(), unanswered: 0, slowest: 0, examples: [] };
}

export function countOf(tally: Tally, digit: number): number {
  return tally.classes.get(digit) ?? 0;
}

/** Bytes of a request whose head is right, whatever its body is. */
export function framed(
  path: string,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body as string);
  const all = { Host: "127.0.0.1", "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const lines = Object.entries({ ...all, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("")}Content-Length: ${bytes.length}\r\n\r\n`, "latin1"),
    bytes,
  ]);
}

/** One request on a connection of its own; undefined without an answer within `milliseconds`. */
export async function ask(port: number, request: Buffer, milliseconds = answerPatience): Promise<Answer | undefined> {
  let found: Answer | undefined;
  const tally = emptyTally();
  await sendAll(port, [request], tally, {
    connections: 1,
    depth: 1,
    milliseconds,
    onAnswer: (answer) => (found = answer),
  });
  return found;
}

interface SendOptions {
  readonly connections?: number;
  /** Requests under way on one connection. */
  readonly depth?: number;
  /** Time to wait for an answer. */
  readonly milliseconds?: number;
  /** Most requests without an answer, after which nothing more is sent. */
  readonly patience?: number;
  readonly onAnswer?: (answer: Answer, request: Buffer) => void;
}

/**
 * Sends requests over some connections with several under way on each. A server may close a connection after an answer;
 * what was under way behind it is sent again, by itself, so that each request has an answer or is known to have none.
 */
export async function sendAll(
  port: number,
  requests: Iterable<Buffer>,
  tally: Tally,
  options: SendOptions = {},
): Promise<void> {
  const { connections = 8, depth = 16, patience = 10_000 } = options;
  const source = requests[Symbol.iterator]();
  const again: Buffer[] = [];
  const giveUp = (request: Buffer): void => {
    tally.unanswered++;
    note(tally, "no answer", request);
  };
  const alone = async (): Promise<void> => {
    for (let request = again.shift(); request !== undefined; request = again.shift()) {
      const left = await drive(port, oneOf(request), 1, tally, options);
      if (left.length > 0) giveUp(request);
    }
  };
  const lane = async (): Promise<void> => {
    for (;;) {
      const first = source.next();
      if (first.done === true || tally.unanswered >= patience) return;
      const left = await drive(port, after(first.value, source), depth, tally, options);
      if (depth > 1) again.push(...left);
      else for (const request of left) giveUp(request);
      await alone();
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

function* oneOf(request: Buffer): Generator<Buffer, void, undefined> {
  yield request;
}

/** The rest of an iterator, which is not ended when this one is. */
function* after(first: Buffer, rest: Iterator<Buffer>): Generator<Buffer, void, undefined> {
  yield first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

/** Drives one connection until there is nothing more to send, or it closes. Resolves to what has had no answer. */
function drive(
  port: number,
  requests: Iterator<Buffer>,
  depth: number,
  tally: Tally,
  { milliseconds = answerPatience, onAnswer }: SendOptions,
): Promise<readonly Buffer[]> {
  return new Promise((resolve) => {
    const underWay: Buffer[] = [];
    const sentAt: number[] = [];
    let isOver = false;
    // The server has said that it takes nothing more on this connection.
    const connection = { isClosing: false };
    const socket: Socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    socket.setTimeout(milliseconds, () => socket.destroy());
    const refill = (): void => {
      const batch: Buffer[] = [];
      while (!isOver && !connection.isClosing && underWay.length < depth) {
        const next = requests.next();
        if (next.done === true) isOver = true;
        else {
          underWay.push(next.value);
          sentAt.push(performance.now());
          batch.push(next.value);
        }
      }
      if (batch.length > 0) socket.write(batch.length === 1 ? (batch[0] ?? "") : Buffer.concat(batch));
      if ((isOver || connection.isClosing) && underWay.length === 0) socket.destroy();
    };
    const read = answerReader((answer) => {
      if (answer.status === 100) return;
      const request = underWay.shift();
      const began = sentAt.shift();
      if (request === undefined || began === undefined) return;
      tally.slowest = Math.max(tally.slowest, performance.now() - began);
      connection.isClosing ||= /\r\nconnection: *close/i.test(answer.head);
      tally.sent++;
      const digit = Math.floor(answer.status / 100);
      tally.classes.set(digit, (tally.classes.get(digit) ?? 0) + 1);
      if (digit === 5) note(tally, `${answer.status} ${answer.body.slice(0, 200)}`, request);
      onAnswer?.(answer, request);
    });
    socket.on("connect", refill);
    socket.on("data", (chunk) => {
      read(chunk.toString("latin1"));
      if (underWay.length <= depth / 2) refill();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(underWay));
  });
}

function note(tally: Tally, what: string, request: Buffer): void {
  if (tally.examples.length < 20) tally.examples.push(`${what} <- ${request.toString("latin1").slice(0, 600)}`);
}

/** Finds answers in a stream, by their length or by their last chunk. */
export function answerReader(onAnswer: (answer: Answer) => void): (chunk: string) => void {
  let text = "";
  return (chunk) => {
    text += chunk;
    for (;;) {
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = text.slice(0, end);
      const start = end + 4;
      const status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      const isBare = status < 200 || status === 204 || status === 304;
      let stop = start + Number(length ?? 0);
      if (!isBare && length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) {
        const last = text.indexOf("\r\n0\r\n\r\n", end);
        if (last < 0) return;
        stop = last + 7;
      }
      if (text.length < stop) return;
      onAnswer({ status, head, body: text.slice(start, stop) });
      text = text.slice(stop);
    }
  };
}
