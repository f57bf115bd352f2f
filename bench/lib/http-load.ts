import { connect } from "node:net";
import type { Socket } from "node:net";

const connections = 32;

/** A request as bytes, with its head. */
export function httpRequest(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({ "Content-Type": "application/json", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export interface LoadOptions {
  /** Requests per second; default: as fast as answers come. */
  readonly rate?: number;
}

/**
 * Sends one request repeatedly over 32 keep-alive connections, one at a time on each, until `count` are answered. With
 * a rate, connections wait until the next request is due. Rejects for an answer whose status is not 200, or whose text
 * lacks `expected`. Resolves to the milliseconds that each answer took, from the least to the most.
 */
export function sendLoad(
  port: number,
  request: Buffer,
  count: number,
  expected: string,
  { rate = Number.POSITIVE_INFINITY }: LoadOptions = {},
): Promise<Float64Array> {
  return new Promise((resolve, reject) => {
    const times = new Float64Array(count);
    let answered = 0;
    let left = count;
    const began = performance.now();
    const isDue = (): boolean => count - left < ((performance.now() - began) / 1000) * rate;
    const waiting: (() => void)[] = [];
    const timer = setInterval(() => {
      for (const next of waiting.splice(0)) next();
    }, 1);
    let open = Math.min(connections, count);
    const sockets: Socket[] = [];
    const fail = (error: Error): void => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      reject(error);
    };
    for (let index = 0; index < Math.min(connections, count); index++) {
      const socket = connect(port, "127.0.0.1");
      sockets.push(socket);
      socket.setNoDelay(true);
      let asked = 0;
      const next = (): void => {
        if (left > 0 && !isDue()) waiting.push(next);
        else if (left-- > 0) {
          asked = performance.now();
          socket.write(request);
        } else socket.end();
      };
      const take = answerReader((answer) => {
        times[answered++] = performance.now() - asked;
        if (answer.includes(" 200 ") && answer.includes(expected)) next();
        else fail(new Error(`An answer is not the expected one: ${answer.slice(0, 500)}`));
      });
      socket.on("connect", next);
      socket.on("data", (chunk) => take(chunk.toString("latin1")));
      socket.on("error", fail);
      socket.on("close", () => {
        if (--open > 0) return;
        clearInterval(timer);
        resolve(times.toSorted());
      });
    }
  });
}

/** Finds the ends of answers, by their length or last chunk. One answer is expected at a time. */
function answerReader(onAnswer: (answer: string) => void): (chunk: string) => void {
  let text = "";
  let length = -1;
  return (chunk) => {
    text = text === "" ? chunk : text + chunk;
    if (length < 0) {
      const head = text.indexOf("\r\n\r\n");
      if (head < 0) return;
      const declared = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head));
      length = declared === null ? Number.POSITIVE_INFINITY : head + 4 + Number(declared[1]);
    }
    if (length === Number.POSITIVE_INFINITY ? !text.endsWith("\r\n0\r\n\r\n") : text.length < length) return;
    const answer = text;
    text = "";
    length = -1;
    onAnswer(answer);
  };
}
