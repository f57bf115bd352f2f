import { AsyncResource } from "node:async_hooks";
import { EventEmitter, once } from "node:events";
import { PassThrough } from "node:stream";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Clients, Composable, Dispatcher, Undici } from "./clients.ts";

/** Sends one request; `url` gives the address of a fresh path that goes the way. */
export type Shape = (url: (way?: string, host?: string) => string) => Promise<unknown>;

const retryOptions = { maxRetries: 3, minTimeout: 1, maxTimeout: 5, statusCodes: [503] };

/**
 * Every way in which author code may send requests, by name. Clients are shared by all jobs, and their pools are small.
 */
export function makeShapes(clients: Clients, port: number): Record<string, Shape> {
  const { axios, got, ky, nodeFetch, http, namedRequest, keptFetch } = clients;
  const keepAlive = new http.Agent({ keepAlive: true, maxSockets: 2 });
  // A thousand jobs at once would open as many connections, which costs more than what they carry.
  http.globalAgent.maxSockets = 32;
  const emitter = new EventEmitter().setMaxListeners(0);
  setInterval(() => emitter.emit("tick"), 1).unref();
  const origin = `http://svc.local:${port}`;
  // Node's own undici takes handlers of its generation only.
  const matching = Number.parseInt(process.versions["undici"] ?? "", 10) >= 8 ? clients.undici8 : clients.undici7;
  const twoOfFetch = new matching.Agent({ connections: 2 });
  let cached: Promise<unknown> | undefined;

  return {
    fetch: async (url) => text(fetch(url())),
    "fetch kept": async (url) => text(keptFetch(url())),
    "fetch external": async (url) => text(fetch(url("plain", "elsewhere.test"))),
    "fetch stream": async (url) =>
      text(fetch(url(), { method: "POST", body: new Blob(["a", "b"]).stream(), duplex: "half" } as RequestInit)),
    "fetch redirect": async (url) => text(fetch(url("to-external-to-local"))),
    "fetch pool of 2": async (url) => text(fetch(url(), { dispatcher: twoOfFetch } as RequestInit)),
    "fetch Request": async (url) =>
      text(fetch(new Request(url("to-here"), { method: "POST" }), { headers: { x: "y" } })),
    "http keep-alive": (url) => answer(http.request(url(), { agent: keepAlive }).end()),
    "http named": (url) => answer(namedRequest(url()).end()),
    "http get": (url) => answer(http.get(url("plain", "elsewhere.test"), { headers: { a: "b" } })),
    "http array headers": (url) =>
      answer(http.request(url(), { headers: ["host", `svc.local:${port}`, "a", "b"], agent: keepAlive }).end()),
    "http ClientRequest": (url) => answer(new http.ClientRequest(url()).end()),
    axios: (url) => axios.get(url(), { httpAgent: keepAlive }),
    "axios redirect": (url) => axios.get(url("to-external-to-local")),
    "axios fetch": (url) => axios.get(url(), { adapter: "fetch" }),
    "axios post": (url) => axios.post(url(), { a: 1 }),
    got: (url) => got(url()),
    "got retry": (url) =>
      got(url("retry"), {
        retry: { limit: 2, calculateDelay: ({ attemptCount }: { attemptCount: number }) => (attemptCount > 2 ? 0 : 1) },
      }),
    "got redirect": (url) => got(url("to-external-to-local")),
    ky: async (url) => (await ky(url())).text(),
    "node-fetch": async (url) => text(nodeFetch(url("to-external-to-local"))),
    "shared emitter": async (url) => {
      await once(emitter, "tick");
      return text(fetch(url()));
    },
    "bound listener": (url) =>
      new Promise((resolve, reject) => {
        emitter.once(
          "tick",
          AsyncResource.bind(() => void text(fetch(url())).then(resolve, reject)),
        );
      }),
    "cached promise": async (url) => {
      await (cached ??= fetch(url()).then((response) => response.text()));
      return text(fetch(url(), { dispatcher: twoOfFetch } as RequestInit));
    },
    ...undiciShapes("undici 7", clients.undici7, origin),
    ...undiciShapes("undici 8", clients.undici8, origin),
    "undici 7 fetch": async (url) => text(clients.undici7.fetch(url("to-external-to-local"))),
    "undici 8 fetch": async (url) => text(clients.undici8.fetch(url("to-external-to-local"))),
    "fetch by queue": queued(matching, (url, dispatcher) => text(fetch(url, { dispatcher } as RequestInit))),
  };
}

function undiciShapes(name: string, undici: Undici, origin: string): Record<string, Shape> {
  const { Agent, Pool, Client, BalancedPool, RetryAgent, interceptors, request } = undici;
  const two = new Pool(origin, { connections: 2 });
  const agentOfTwo = new Agent({ connections: 2 });
  const pipelining = new Client(origin, { pipelining: 4 });
  const balanced = new BalancedPool([origin], { connections: 2 });
  const retryAgent = new RetryAgent(new Agent({ connections: 2 }), retryOptions);
  const retrying = new Agent({ connections: 2 }).compose(interceptors.retry(retryOptions));
  const redirecting = new Agent({ connections: 2 }).compose(interceptors.redirect({ maxRedirections: 5 }));
  const path = (url: string): string => new URL(url).pathname;
  // One object for the requests of all jobs, as authors keep one.
  const options = { dispatcher: agentOfTwo };
  return {
    [`${name} request`]: (url) => body(request(url())),
    [`${name} request agent of 2`]: (url) => body(request(url(), options)),
    [`${name} external`]: (url) => body(request(url("plain", "elsewhere.test"), options)),
    [`${name} pool of 2`]: (url) => body(two.request({ path: path(url()), method: "GET" })),
    [`${name} pipelining`]: (url) => body(pipelining.request({ path: path(url()), method: "GET" })),
    [`${name} balanced`]: (url) => body(balanced.request({ path: path(url()), method: "GET" })),
    [`${name} stream`]: (url) => undici.stream(url(), { ...options, method: "GET" }, () => new PassThrough().resume()),
    [`${name} RetryAgent`]: (url) => body(request(url("retry"), { dispatcher: retryAgent })),
    [`${name} retry`]: (url) => body(request(url("retry"), { dispatcher: retrying })),
    [`${name} redirect`]: (url) => body(request(url("to-external-to-local"), { dispatcher: redirecting })),
    [`${name} relative redirect`]: (url) =>
      body(request(url("to-here", "elsewhere.test"), { dispatcher: redirecting })),
    [`${name} dispatch`]: (url) => dispatchByHand(two, path(url("retry"))),
    [`${name} queue`]: queued(undici, (url, dispatcher) => body(request(url, { dispatcher }))),
  };
}

/** A retry written by hand: the handler dispatches again, from the callback of whichever socket answered. */
function dispatchByHand(pool: Composable, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { path, method: "GET" };
    let status = 0;
    const handler = {
      onRequestStart() {},
      onResponseStart(_controller: unknown, code: number) {
        status = code;
      },
      onResponseData() {},
      onResponseEnd() {
        if (status === 503) pool.dispatch(options, handler);
        else resolve();
      },
      onResponseError(_controller: unknown, error: Error) {
        reject(error);
      },
    };
    pool.dispatch(options, handler);
  });
}

/** A dispatcher written by hand: it holds requests back and sends them from a timer that belongs to no job. */
function queued(undici: Undici, send: (url: string, dispatcher: Dispatcher) => Promise<unknown>): Shape {
  const inner = new undici.Agent({ connections: 2 });
  const queue: [object, object][] = [];
  let timer: NodeJS.Timeout | undefined;
  class Queue extends undici.Dispatcher {
    constructor() {
      super();
      this.dispatch = (options, handler) => {
        queue.push([options, handler]);
        timer ??= setTimeout(() => {
          timer = undefined;
          for (const [one, its] of queue.splice(0)) inner.dispatch(one, its);
        }, 2);
        return true;
      };
    }
  }
  const dispatcher = new Queue();
  return (url) => send(url(), dispatcher);
}

async function text(response: Promise<{ text: () => Promise<string> }>): Promise<string> {
  return (await response).text();
}

async function body(response: Promise<{ statusCode: number; body: { text: () => Promise<string> } }>): Promise<string> {
  return (await response).body.text();
}

async function answer(request: ClientRequest): Promise<void> {
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
}
