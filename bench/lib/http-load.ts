import { connect, type Socket } from "node:net";

/** Connections that wait for their first answer at the same time: a server's queue of new ones is short. */
const openedAtOnce = 100;

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
  /** Default 32. Of more than 100, each sends one request and waits until all have their answer. */
  readonly connections?: number;
  /** Called when requests begin to count. */
  readonly onOpen?: () => void;
}

/**
 * Sends one request repeatedly over keep-alive connections, one at a time on each, until `count` are answered. With a
 * rate, connections wait until the next request is due. Rejects for an answer whose status is not 200, or whose text
 * lacks `expected`. Resolves to the milliseconds that each answer took, from the least to the most.
 */
export function sendLoad(
  port: number,
  request: Buffer,
  count: number,
  expected: string,
  { rate = Number.POSITIVE_INFINITY, connections = 32, onOpen }: LoadOptions = {},
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
    const wanted = Math.min(connections, count);
    let open = wanted;
    let greeted = 0;
    let counts = wanted <= openedAtOnce;
    if (counts) onOpen?.();
    const sockets: Socket[] = [];
    const fail = (error: Error): void => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      reject(error);
    };
    const greet = (): void => {
      if (sockets.length < wanted) openOne();
      if (++greeted < wanted || counts) return;
      counts = true;
      onOpen?.();
    };
    const openOne = (): void => {
      const socket = connect(port, "127.0.0.1");
      sockets.push(socket);
      socket.setNoDelay(true);
      let asked = Number.NaN;
      let isFirst = true;
      const next = (): void => {
        if (left > 0 && !(counts ? isDue() : isFirst)) waiting.push(next);
        else if (left > 0) {
          if (counts) left--;
          asked = counts ? performance.now() : Number.NaN;
          socket.write(request);
        } else socket.end();
      };
      const take = answerReader((answer) => {
        if (!Number.isNaN(asked)) times[answered++] = performance.now() - asked;
        if (isFirst) {
          isFirst = false;
          greet();
        }
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
    };
    for (let index = 0; index < Math.min(openedAtOnce, wanted); index++) openOne();
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
