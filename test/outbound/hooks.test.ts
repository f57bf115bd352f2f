import { AsyncLocalStorage } from "node:async_hooks";
import { execFile } from "node:child_process";
import { once } from "node:events";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OutboundJob } from "../../runtime/outside/outbound/rules/job-headers.ts";
import { installOutbound } from "../../runtime/outside/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../../runtime/service/config/outbound-policy.ts";
import { clientsFolder } from "./harness/build.ts";
import type { Undici } from "./harness/clients.ts";
import { startRecorder, type Recorded, type Recorder } from "./harness/recorder.ts";
import { resolveLocally } from "./harness/resolve-locally.ts";

const clients = clientsFolder();
if (clients === undefined)
  console.warn("SKIPPED: hooks of npm undici. The workspace test/versions/outbound-clients is not installed.");
const load = clients === undefined ? undefined : createRequire(join(clients, "package.json"));

const jobs = new AsyncLocalStorage<OutboundJob>();
const job: OutboundJob = {
  id: "urn:platform:job:9",
  authorization: "Bearer T",
  traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  tracestate: undefined,
};

let server: Recorder;
let local: string;
let external: string;
let uninstall: () => void = () => {};

beforeAll(() => resolveLocally());
beforeEach(async () => {
  server = await startRecorder();
  local = `http://svc.local:${server.port}`;
  external = `http://example.test:${server.port}`;
});
afterEach(async () => {
  uninstall();
  await server.stop();
});

function install(env: Record<string, string> = {}): void {
  const policy = resolveOutboundPolicy({ PLATFORM_BASE_URL: "http://127.0.0.1:9", ...env });
  uninstall = installOutbound({ job: () => jobs.getStore(), policy });
}

function installWithProxy(): void {
  install({ PLATFORM_PROXY_URL: `http://localhost:${server.port}/forward` });
}

const inJob = <T>(run: () => Promise<T>): Promise<T> => jobs.run(job, run);

/** Requests that arrived, with only the headers that the rewriting is about. */
function arrived(): object[] {
  return server.take().map(({ url, headers }) => {
    const seen: { [name: string]: string | undefined } = { url, host: headers.host };
    const names = {
      id: "platform-job-id",
      authorization: "authorization",
      forward: "platform-forward-url",
      traceparent: "traceparent",
    };
    for (const [short, name] of Object.entries(names)) {
      if (headers[name] !== undefined) seen[short] = headers[name].toString();
    }
    return seen;
  });
}

const marks = { id: job.id, traceparent: job.traceparent };
const token = { authorization: "Bearer T" };
const hostOf = (url: string): string => new URL(url).host;

async function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return response;
}

type Get = (url: string, headers?: Record<string, string>) => Promise<unknown>;
const byFetch: Get = async (url, headers) => (await fetch(url, headers && { headers })).text();
const byHttp: Get = async (url, headers) => answerOf(http.get(url, headers ? { headers } : {}));

describe.each([
  ["fetch", byFetch],
  ["node:http", byHttp],
])("%s", (_, get) => {
  test("a local host gets the token, an external one does not", async () => {
    install();
    await inJob(() => get(`${local}/a`));
    await inJob(() => get(`${external}/b`));
    expect(arrived()).toEqual([
      { url: "/a", host: hostOf(local), ...marks, ...token },
      { url: "/b", host: hostOf(external), ...marks },
    ]);
  });

  test("outside a job nothing is added", async () => {
    installWithProxy();
    await get(`${local}/a`);
    await get(`${external}/b`);
    expect(arrived()).toEqual([
      { url: "/a", host: hostOf(local) },
      { url: "/b", host: hostOf(external) },
    ]);
  });

  test("what the author set stays: authorization, trace context", async () => {
    install();
    const own = { Authorization: "Basic own", traceparent: `00-${"c".repeat(32)}-${"d".repeat(16)}-00` };
    await inJob(() => get(`${local}/`, own));
    await inJob(() => get(`${external}/`, own));
    expect(arrived()).toEqual([
      { url: "/", host: hostOf(local), id: job.id, traceparent: own.traceparent, authorization: "Basic own" },
      { url: "/", host: hostOf(external), id: job.id, traceparent: own.traceparent, authorization: "Basic own" },
    ]);
  });

  test("a job id that the author made up is replaced", async () => {
    install();
    await inJob(() => get(`${external}/`, { "Platform-Job-Id": "urn:platform:job:other" }));
    expect(arrived()).toEqual([{ url: "/", host: hostOf(external), ...marks }]);
  });

  test("the proxy gets external requests, with address and host of its own", async () => {
    installWithProxy();
    await inJob(() =>
      get(`${external}/a%20b?x=1&y=+2`, { "platform-forward-url": "http://made-up/", authorization: "Basic own" }),
    );
    await inJob(() => get(`${local}/direct`));
    expect(arrived()).toEqual([
      {
        url: "/forward",
        host: `localhost:${server.port}`,
        ...marks,
        authorization: "Basic own",
        forward: `${external}/a%20b?x=1&y=+2`,
      },
      { url: "/direct", host: hostOf(local), ...marks, ...token },
    ]);
  });

  test("a request to the proxy itself arrives once and as it is", async () => {
    installWithProxy();
    await inJob(() => get(`http://localhost:${server.port}/forward`, { "platform-forward-url": "http://mine.test/" }));
    expect(arrived()).toEqual([
      { url: "/forward", host: `localhost:${server.port}`, ...marks, forward: "http://mine.test/" },
    ]);
  });

  test("the sidecar on loopback is reached directly, with the token", async () => {
    install({ PLATFORM_BASE_URL: `http://localhost:${server.port}`, PLATFORM_PROXY_URL: "http://proxy.test:1/" });
    await inJob(() => get(`http://localhost:${server.port}/events/9`));
    expect(arrived()).toEqual([{ url: "/events/9", host: `localhost:${server.port}`, ...marks, ...token }]);
  });

  test("https through an http proxy", async () => {
    installWithProxy();
    const { default: https } = await import("node:https");
    const send = get === byFetch ? get : async (url: string) => answerOf(https.get(url));
    await inJob(() => send("https://example.test/secret"));
    expect(arrived()).toMatchObject([{ url: "/forward", forward: "https://example.test/secret" }]);
  });

  test("431 of the proxy is an error that explains it", async () => {
    installWithProxy();
    server.answer = (_request, response) => void response.writeHead(431).end("too large");
    const error = await inJob(() => get(`${external}/?q=${"x".repeat(9000)}`)).catch(
      (thrown: Error) => (thrown.cause as Error | undefined) ?? thrown,
    );
    expect(error).toMatchObject({ name: "ForwardError", code: "ERR_FORWARD_HEADER_TOO_LARGE", status: 431 });
    expect((error as Error).message).toContain("the header Platform-Forward-Url, which has 90");
  });

  test("431 of a server that is no proxy is an answer like any other", async () => {
    install();
    server.answer = (_request, response) => void response.writeHead(431).end("too large");
    await expect(inJob(() => get(`${external}/`))).resolves.toBeDefined();
  });

  test("a generic proxy is named", async () => {
    installWithProxy();
    server.answer = (_request, response) =>
      void response.writeHead(400, { "x-squid-error": "ERR_INVALID_URL 0" }).end("no");
    const error = await inJob(() => get(`${external}/`)).catch(
      (thrown: Error) => (thrown.cause as Error | undefined) ?? thrown,
    );
    expect(error).toMatchObject({ code: "ERR_FORWARD_PROXY_GENERIC", status: 400 });
  });

  test("a bad URL or header is the caller's error, the same as without us", async () => {
    const tries: (() => Promise<unknown>)[] = [
      ...["http://", "nonsense", "http://a.local:99999/", "ftp://a.local/"].map((url) => () => get(url)),
      () => get(`${local}/`, { "bad name": "x" }),
      () => get(`${local}/`, { good: "a\nb" }),
      () => get(`${local}/`, { good: "☃" }),
    ];
    const errorsOf = async (): Promise<unknown[]> =>
      Promise.all(
        tries.map(async (one) =>
          one().then(
            () => "fine",
            (error: Error) => `${error.name}: ${error.message}`,
          ),
        ),
      );
    const without = await errorsOf();
    installWithProxy();
    expect(await inJob(errorsOf)).toEqual(without);
    expect(without.filter((one) => one === "fine")).toEqual([]);
    expect(server.take()).toEqual([]);
  });
});

describe("redirects of fetch", () => {
  const redirect = (chain: Record<string, string>): void => {
    server.answer = ({ url }: Recorded, response) => {
      const path = url === "/forward" ? "" : url;
      const location = chain[path];
      if (location === undefined) response.end("ok");
      else response.writeHead(302, { location }).end();
    };
  };

  test("each hop is decided again, and a hop from an external host does not gain the token", async () => {
    install();
    redirect({ "/1": "/2", "/2": `${external}/3`, "/3": `${local}/4` });
    await inJob(() => fetch(`${local}/1`));
    expect(arrived().map((hop) => (hop as { authorization?: string }).authorization)).toEqual([
      "Bearer T",
      "Bearer T",
      undefined,
      undefined,
    ]);
    // The next call of the same job is not a hop of that one.
    await inJob(() => fetch(`${local}/5`));
    expect(arrived()).toMatchObject([{ ...token }]);
  });

  test("21 hops are too many", async () => {
    install();
    server.answer = ({ url }, response) =>
      void response.writeHead(302, { location: `/${Number(url.slice(1)) + 1}` }).end();
    await expect(inJob(() => fetch(`${local}/0`))).rejects.toThrow("fetch failed");
    expect(server.take()).toHaveLength(21);
  });

  test("a relative address from behind the proxy means the original host", async () => {
    installWithProxy();
    server.answer = ({ headers }, response) => {
      if (headers["platform-forward-url"] === `${external}/a/b`)
        response.writeHead(302, { location: "../next?x" }).end();
      else response.end("ok");
    };
    await inJob(() => fetch(`${external}/a/b`));
    expect(arrived()).toMatchObject([{ forward: `${external}/a/b` }, { forward: `${external}/next?x` }]);
  });
});

describe("node:http", () => {
  test.each([
    ["hostname before host", () => ({ hostname: "example.test", host: "svc.local" }), false],
    ["a Host header does not count", () => ({ hostname: "example.test", headers: { host: "svc.local" } }), false],
    ["upper case", () => ({ hostname: "SVC.Local" }), true],
    [
      "an absolute path, which speaks to a proxy",
      () => ({ hostname: "svc.local", path: "http://example.test/" }),
      false,
    ],
    ["auth is the author's own", () => ({ hostname: "svc.local", auth: "u:p" }), false],
    ["an agent of its own", () => ({ hostname: "svc.local", agent: new http.Agent({ keepAlive: false }) }), true],
    ["no agent", () => ({ hostname: "svc.local", agent: false }), true],
    ["headers as a flat array", () => ({ hostname: "svc.local", headers: ["host", "x", "a", "b"] }), true],
    [
      "headers as pairs",
      () => ({
        hostname: "svc.local",
        headers: [
          ["host", "x"],
          ["a", "b"],
        ],
      }),
      true,
    ],
    ["Expect", () => ({ hostname: "svc.local", method: "GET", headers: { expect: "100-continue" } }), true],
    [
      "a connection of its own",
      () => ({
        hostname: "svc.local",
        createConnection: () => process.getBuiltinModule("node:net").connect(server.port, "127.0.0.1"),
      }),
      false,
    ],
  ])("%s", async (_, options, expected) => {
    install();
    await inJob(() => answerOf(http.request({ port: server.port, ...options() } as http.RequestOptions).end()));
    const [seen] = arrived() as { authorization?: string; id?: string }[];
    expect(seen?.id).toBe(job.id);
    expect(seen?.authorization === "Bearer T").toBe(expected);
  });

  test("array headers reach the proxy with its host", async () => {
    installWithProxy();
    for (const headers of [["a", "b"], [["Host", "example.test"]]]) {
      await inJob(() => answerOf(http.request(`${external}/x`, { headers } as unknown as http.RequestOptions).end()));
      expect(arrived()).toEqual([
        { url: "/forward", host: `localhost:${server.port}`, ...marks, forward: `${external}/x` },
      ]);
    }
  });

  test("method, body and streams stay", async () => {
    installWithProxy();
    await inJob(async () => {
      const request = http.request(`${external}/x`, { method: "PUT" });
      request.write("first ");
      request.end("last");
      await answerOf(request);
    });
    expect(server.take()).toMatchObject([{ method: "PUT", body: "first last" }]);
  });

  test("ClientRequest: new, by super, and as a function on an object", async () => {
    install();
    class Own extends http.ClientRequest {}
    await inJob(async () => {
      for (const request of [new http.ClientRequest(`${local}/`), new Own(`${local}/`)]) {
        expect(request).toBeInstanceOf(http.ClientRequest);
        await answerOf(request.end());
      }
      expect(new Own(`${local}/`).on("error", () => {}).destroy()).toBeInstanceOf(Own);
    });
    expect(arrived()).toMatchObject([token, token]);
  });

  test("a body that nobody reads is dropped as before", async () => {
    install();
    await inJob(() => new Promise<void>((resolve) => http.get(`${external}/`).on("close", () => resolve())));
    expect(server.take()).toHaveLength(1);
  });

  test("a redirect that code follows by itself does not gain the token from an external host", async () => {
    install();
    server.answer = ({ url }, response) =>
      void (url === "/1" ? response.writeHead(302, { location: `${local}/2` }).end() : response.end());
    await inJob(
      () =>
        new Promise<void>((resolve, reject) => {
          http.get(`${external}/1`, (first) => {
            first.resume();
            http.get(first.headers.location ?? "", (second) => second.resume().on("end", resolve)).on("error", reject);
          });
        }),
    );
    await inJob(() => answerOf(http.get(`${local}/3`)));
    expect(arrived()).toEqual([
      { url: "/1", host: hostOf(external), ...marks },
      { url: "/2", host: hostOf(local), ...marks },
      { url: "/3", host: hostOf(local), ...marks, ...token },
    ]);
  });

  test("nor at a later hop, to another local host", async () => {
    install();
    const hops: Readonly<Record<string, string>> = {
      "/1": `${external}/2`,
      "/2": `http://other.local:${server.port}/3`,
      "/3": `${local}/4`,
    };
    server.answer = ({ url = "" }, response) => {
      const location = hops[url];
      void (location === undefined ? response.end() : response.writeHead(302, { location }).end());
    };
    const follow = (url: string): Promise<void> =>
      new Promise((resolve, reject) => {
        http
          .get(url, (response) => {
            const { location } = response.resume().headers;
            if (location === undefined) response.on("end", resolve);
            else follow(location).then(resolve, reject);
          })
          .on("error", reject);
      });
    await inJob(() => follow(`${local}/1`));
    const tokens = arrived().map((one) => "authorization" in one);
    expect(tokens).toEqual([true, false, false, false]);
  });
});

test("a job that was started within another one has its own token", async () => {
  install();
  const other = { ...job, id: "urn:platform:job:10", authorization: "Bearer U" };
  server.answer = ({ url }, response) =>
    void (url === "/1" ? response.writeHead(302, { location: `${local}/2` }).end() : response.end());
  await inJob(
    () =>
      new Promise<void>((resolve) => {
        http.get(`${external}/1`, (response) => {
          response.resume();
          jobs.run(other, () => void answerOf(http.get(`${local}/2`)).then(() => resolve()));
        });
      }),
  );
  expect(arrived()).toMatchObject([{ id: job.id }, { id: other.id, authorization: "Bearer U" }]);
});

test("the proxy that Node takes from the environment never sees the token", async () => {
  const outbound = new URL("../../runtime/outside/outbound/", import.meta.url).href;
  const code = `
    import { AsyncLocalStorage } from "node:async_hooks";
    import http from "node:http";
    import { installOutbound } from "${outbound}install-outbound.ts";
    import { resolveOutboundPolicy } from "${outbound}../../service/config/outbound-policy.ts";
    const jobs = new AsyncLocalStorage();
    const policy = resolveOutboundPolicy({ PLATFORM_BASE_URL: "http://127.0.0.1:9" });
    installOutbound({ job: () => jobs.getStore(), policy });
    await jobs.run(${JSON.stringify(job)}, async () => {
      await (await fetch("http://svc.local/fetch")).text();
      await new Promise((resolve, reject) => http.get("http://svc.local/http", (response) => response.resume().on("end", resolve)).on("error", reject));
    });
    process.exit(0);`;
  const env = { ...process.env, NODE_USE_ENV_PROXY: "1", HTTP_PROXY: `http://127.0.0.1:${server.port}`, NO_PROXY: "" };
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { env });
  const seen = server.take().filter(({ method }) => method === "GET");
  expect(seen.map(({ headers }) => [headers["platform-job-id"], headers.authorization])).toEqual([
    [job.id, undefined],
    [job.id, undefined],
  ]);
});

test("uninstalling puts back what was there", async () => {
  install();
  uninstall();
  await inJob(() => fetch(`${local}/`));
  expect(arrived()).toEqual([{ url: "/", host: hostOf(local) }]);
});

describe.skipIf(load === undefined).each(["undici-7", "undici-8"])("%s", (name) => {
  let undici: Undici;
  const closing: { close: () => Promise<void> }[] = [];
  const kept = <T extends { close: () => Promise<void> }>(dispatcher: T): T => {
    closing.push(dispatcher);
    return dispatcher;
  };

  beforeEach(() => {
    install();
    undici = load?.(name) as Undici;
  });
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((one) => one.close()));
  });
  afterAll(() => uninstall());

  const get = (url: string, options: object = {}): Promise<string> =>
    inJob(async () => (await undici.request(url, options)).body.text());

  test("the host that counts is the one connected to", async () => {
    const pool = kept(new undici.Pool(external));
    await get(`${local}/a`, { dispatcher: pool });
    const agent = kept(new undici.Agent({ factory: () => new undici.Pool(external) }));
    await get(`${local}/b`, { dispatcher: agent });
    const balanced = kept(new undici.BalancedPool([external]));
    await inJob(async () =>
      (await balanced.request({ origin: local, path: "/c", method: "GET" } as object)).body.text(),
    );
    expect(arrived()).toEqual(
      ["/a", "/b", "/c"].map((url) => Object.assign({ url, host: expect.any(String) as unknown }, marks)),
    );
  });

  test("and the other way round", async () => {
    const pool = kept(new undici.Pool(local));
    await get(`${external}/a`, { dispatcher: pool });
    expect(arrived()).toMatchObject([{ url: "/a", ...token }]);
  });

  test("the author's own proxy never sees the token, and its tunnel belongs to no job", async () => {
    const proxy = kept(new undici.ProxyAgent(`http://127.0.0.1:${server.port}`));
    await get(`${local}/x`, { dispatcher: proxy });
    const env = kept(
      new undici.EnvHttpProxyAgent({ httpProxy: `http://127.0.0.1:${server.port}`, noProxy: "other.local" }),
    );
    await get(`${local}/x`, { dispatcher: env });
    const seen = server.take();
    expect(seen.length).toBeGreaterThanOrEqual(2);
    for (const { method, headers } of seen) {
      expect(headers.authorization).toBeUndefined();
      expect(headers["platform-job-id"]).toBe(method === "CONNECT" ? undefined : job.id);
    }
    await get(`http://other.local:${server.port}/direct`, { dispatcher: env });
    expect(arrived()).toMatchObject([{ url: "/direct", ...token }]);
  });

  test.each([
    ["an object", { Authorization: "Basic own", a: "b" }, "Basic own"],
    ["a flat array", ["a", "b"], "Bearer T"],
    ["a Headers object", new Headers({ a: "b" }), "Bearer T"],
    ["a Map", new Map([["a", "b"]]), "Bearer T"],
  ])("headers as %s", async (_, headers, authorization) => {
    await get(`${local}/`, { headers });
    const [seen] = server.take();
    expect(seen?.headers).toMatchObject({ a: "b", authorization, "platform-job-id": job.id });
  });

  test("one options object for several jobs", async () => {
    const options = Object.freeze({ headers: Object.freeze({ a: "b" }) });
    await get(`${local}/`, options);
    await jobs.run({ ...job, authorization: "Bearer U" }, async () =>
      (await undici.request(`${local}/`, options)).body.text(),
    );
    expect(arrived()).toMatchObject([{ authorization: "Bearer T" }, { authorization: "Bearer U" }]);
    expect(Reflect.ownKeys(options)).toEqual(["headers"]);
  });

  test("a request of no job that waits in a pool which jobs use stays clean", async () => {
    const pool = kept(new undici.Pool(local, { connections: 1 }));
    const send = async (path: string): Promise<string> => (await pool.request({ path, method: "GET" })).body.text();
    const sends = [inJob(() => send("/1")), send("/2"), inJob(() => send("/3")), send("/4")];
    await Promise.all(sends);
    const tokens = Object.fromEntries(arrived().map((seen) => [(seen as Recorded).url, "authorization" in seen]));
    expect(tokens).toEqual({ "/1": true, "/2": false, "/3": true, "/4": false });
  });

  test("redirects: the interceptor's hops lose the token at an external host and do not gain it back", async () => {
    const agent = kept(new undici.Agent().compose(undici.interceptors.redirect({ maxRedirections: 5 })));
    server.answer = ({ url }, response) => {
      const location = { "/1": "/2", "/2": `${external}/3`, "/3": `${local}/4` }[url];
      if (location === undefined) response.end();
      else response.writeHead(302, { location }).end();
    };
    await get(`${local}/1`, { dispatcher: agent });
    expect(arrived().map((hop) => "authorization" in hop)).toEqual([true, true, false, false]);
    await get(`${local}/5`, { dispatcher: agent });
    expect(arrived()).toMatchObject([token]);
  });

  test("an interceptor that holds requests back sends each with its own job", async () => {
    const waiting: (() => void)[] = [];
    const holding = (dispatch: (options: object, handler: object) => boolean) => (options: object, handler: object) => {
      waiting.push(() => void dispatch(options, handler));
      return true;
    };
    const agent = kept(new undici.Agent().compose(holding));
    const other = { ...job, authorization: "Bearer U" };
    const send = (path: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const handler = {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd: () => resolve(),
          onResponseError: (_controller: unknown, error: Error) => reject(error),
        };
        agent.dispatch({ origin: local, path, method: "GET" }, handler);
      });
    const sent = [inJob(() => send("/1")), jobs.run(other, () => send("/2")), send("/3")];
    // From the context of a fourth job, as a timer that it has started.
    jobs.run({ ...job, authorization: "Bearer V" }, () => waiting.forEach((release) => release()));
    await Promise.all(sent);
    const tokens = server.take().map(({ url, headers }) => [url, headers.authorization]);
    expect(Object.fromEntries(tokens)).toEqual({ "/1": "Bearer T", "/2": "Bearer U", "/3": undefined });
  });

  test("a redirect below an agent does not take our token along", async () => {
    const inner = kept(new undici.Agent());
    const agent = kept(
      new undici.Agent({ factory: () => inner.compose(undici.interceptors.redirect({ maxRedirections: 5 })) }),
    );
    server.answer = ({ url }, response) =>
      void (url === "/1" ? response.writeHead(302, { location: `${external}/2` }).end() : response.end());
    await get(`${local}/1`, { dispatcher: agent });
    expect(arrived()).toEqual([
      { url: "/1", host: hostOf(local), ...marks, ...token },
      { url: "/2", host: hostOf(external), ...marks },
    ]);
  });

  test("a name that an interceptor has resolved is an address: no token", async () => {
    const agent = kept(new undici.Agent().compose(undici.interceptors.dns({ dualStack: false })));
    await get(`${local}/`, { dispatcher: agent });
    expect(arrived()).toEqual([{ url: "/", host: hostOf(local), ...marks }]);
  });

  test("queries, pools and clients through the proxy", async () => {
    uninstall();
    installWithProxy();
    await get(`${external}/a`, { query: { x: "1 2" } });
    for (const made of [kept(new undici.Pool(external, { connections: 2 })), kept(new undici.Client(external))]) {
      await inJob(async () => (await made.request({ path: "/b", method: "GET" })).body.text());
    }
    expect(arrived()).toEqual(
      ["/a?x=1%202", "/b", "/b"].map((path) =>
        Object.assign({ url: "/forward", host: `localhost:${server.port}`, forward: external + path }, marks),
      ),
    );
  });

  test("pools and clients keep their limits through the proxy", async () => {
    uninstall();
    installWithProxy();
    server.answer = (_request, response) => void response.end("x".repeat(5000));
    const options = { maxResponseSize: 1000 };
    for (const made of [kept(new undici.Pool(external, options)), kept(new undici.Client(external, options))]) {
      const read = inJob(async () => (await made.request({ path: "/b", method: "GET" })).body.text());
      await expect(read).rejects.toMatchObject({ code: "UND_ERR_RES_EXCEEDED_MAX_SIZE" });
    }
  });

  test("431 through undici's own request", async () => {
    uninstall();
    installWithProxy();
    server.answer = (_request, response) => void response.writeHead(431).end();
    await expect(get(`${external}/`)).rejects.toMatchObject({ code: "ERR_FORWARD_HEADER_TOO_LARGE" });
  });

  test("a closed pool refuses, also under the proxy", async () => {
    uninstall();
    installWithProxy();
    const pool = new undici.Pool(external);
    await pool.close();
    await expect(inJob(() => pool.request({ path: "/", method: "GET" }))).rejects.toMatchObject({
      name: "ClientDestroyedError",
    });
    expect(server.take()).toEqual([]);
  });

  test.each([
    ["a path that is no path", { path: "x y" }],
    ["no origin", { origin: undefined }],
    ["headers that are text", { headers: "a: b" }],
    ["an odd array of headers", { headers: ["a"] }],
    ["a header that is an object", { headers: { a: { b: 1 } } }],
  ])("%s is the caller's error, the same as without us", async (_, options) => {
    const agent = kept(new undici.Agent());
    const send = async (): Promise<unknown> =>
      agent
        .request({ origin: local, path: "/", method: "GET", ...options })
        .catch((error: Error) => `${error.name}: ${error.message}`);
    const within = await inJob(send);
    uninstall();
    expect(within).toEqual(await send());
    expect(within).toMatch(/Error/);
  });
});
