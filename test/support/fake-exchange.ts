import type { Answer } from "../../runtime/fronts/http/answer.ts";
import type { Exchange } from "../../runtime/fronts/http/exchange.ts";

/** One request without a server; the answers that were given to it. */
export interface FakeExchange {
  readonly exchange: Exchange;
  readonly answers: readonly Answer[];
  /** The caller leaves. */
  leave(): void;
}

export interface FakeRequest {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string | undefined;
  readonly scheme?: string;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Makes a request as a front gets it, with nothing but what is given. */
export function fakeExchange(request: FakeRequest = {}): FakeExchange {
  const answers: Answer[] = [];
  const left: (() => void)[] = [];
  const { method = "POST", path = "/mcp", scheme = "http", headers = {}, body = "" } = request;
  const exchange = {
    method,
    path,
    scheme,
    query: "",
    host: "host" in request ? request.host : "tools.example.org",
    address: "192.0.2.1",
    header: (name: string) => headers[name],
    body: (_: number, done: (error: undefined, bytes: Buffer) => void) => done(undefined, Buffer.from(body)),
    onGone: (listener: () => void) => void left.push(listener),
    addHeaders() {},
    answer: (answer: Answer) => void answers.push(answer),
    cut() {},
  };
  return { exchange: exchange as unknown as Exchange, answers, leave: () => left.forEach((listener) => listener()) };
}
