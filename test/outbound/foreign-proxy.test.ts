import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { OutboundJob } from "../../runtime/outside/outbound/rules/job-headers.ts";
import { installOutbound } from "../../runtime/outside/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../../runtime/service/config/outbound-policy.ts";
import { installHint, isInstalled, startNginx, startTinyproxy, type ProxyProcess } from "../support/proxy-process.ts";
import { clientsFolder } from "./harness/build.ts";
import type { Undici } from "./harness/clients.ts";
import { startRecorder, type Recorder } from "./harness/recorder.ts";

const jobs = new AsyncLocalStorage<OutboundJob>();
const job: OutboundJob = {
  id: "urn:platform:job:9",
  authorization: "Bearer T",
  traceparent: undefined,
  tracestate: undefined,
};
const withNginx = isInstalled("nginx");
const withTinyproxy = isInstalled("tinyproxy");
if (!withNginx) console.warn(`SKIPPED: nginx as the forwarding proxy. It is not installed. ${installHint}`);
if (!withTinyproxy) console.warn(`SKIPPED: a generic proxy. tinyproxy is not installed. ${installHint}`);

let target: Recorder;
let proxy: ProxyProcess;
let uninstall: () => void = () => {};
beforeAll(async () => {
  target = await startRecorder();
});
afterEach(() => uninstall());
afterAll(() => target.stop());

function install(path = ""): void {
  const policy = resolveOutboundPolicy({
    PLATFORM_BASE_URL: "http://127.0.0.1:9",
    PLATFORM_PROXY_URL: proxy.url + path,
  });
  uninstall = installOutbound({ job: () => jobs.getStore(), policy });
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const folder = clientsFolder();
const undici = folder === undefined ? undefined : (createRequire(join(folder, "package.json"))("undici-7") as Undici);

const clients: Readonly<Record<string, (url: string, body?: string) => Promise<Answer>>> = {
  async fetch(url, body) {
    const response = await fetch(url, body === undefined ? {} : { method: "POST", body });
    return { status: response.status, text: await response.text() };
  },
  "node:http": (url, body) =>
    new Promise((resolve, reject) => {
      const request = http.request(url, body === undefined ? {} : { method: "POST" }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      request.on("error", reject).end(body);
    }),
  ...(undici && {
    async undici(url: string, body?: string): Promise<Answer> {
      const answer = await undici.request(url, body === undefined ? {} : { method: "POST", body });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
  }),
};
const names = Object.keys(clients);

function send(client: string, url: string, body?: string): Promise<Answer> {
  return jobs.run(job, async () => (await clients[client]?.(url, body)) ?? { status: 0, text: "" });
}

describe.skipIf(!withNginx)("nginx as the forwarding proxy", () => {
  beforeAll(async () => {
    proxy = await startNginx();
  });
  afterAll(() => proxy.stop());

  test.each(names)("%s: path, query and body arrive, the token does not", async (client) => {
    install("/forward");
    const host = `127.0.0.1:${target.port}`;
    target.answer = (_request, response) => void response.end("from the target");
    const query = `/a%20b/%C3%BC;x?q=1%202&empty=&plus=+&u=${encodeURIComponent("http://h/?x")}`;
    expect(await send(client, `http://${host}${query}`, "body ü")).toEqual({ status: 200, text: "from the target" });
    const [arrived, ...others] = target.take();
    expect(others).toEqual([]);
    expect(arrived).toMatchObject({ method: "POST", url: query });
    expect(arrived?.headers).toMatchObject({ host, "platform-job-id": job.id });
    expect(arrived?.headers).not.toHaveProperty("authorization");
    expect(arrived?.headers).not.toHaveProperty("platform-forward-url");
  });

  test("a relative redirect from behind it leads to the original host", async () => {
    install("/forward");
    target.answer = ({ url }, response) =>
      void (url === "/first" ? response.writeHead(302, { location: "second?x=1" }).end() : response.end(url));
    expect(await send("fetch", `http://127.0.0.1:${target.port}/first`)).toEqual({ status: 200, text: "/second?x=1" });
    expect(target.take().map(({ url }) => url)).toEqual(["/first", "/second?x=1"]);
  });

  test.each(names)("%s: a URL that is too long is an error that names the header and what to do", async (client) => {
    install("/forward");
    const error: unknown = await send(client, `http://127.0.0.1:${target.port}/?q=${"x".repeat(20_000)}`).catch(
      (thrown: Error) => (client === "fetch" ? thrown.cause : thrown),
    );
    expect(error).toMatchObject({ code: "ERR_FORWARD_HEADER_TOO_LARGE", status: 431 });
    expect(String(error)).toMatch(
      /answered 431 .*Platform-Forward-Url, which has 20\d{3} bytes.*raise the proxy's limit/,
    );
    expect(String(error)).not.toContain("xxx");
    expect(target.take()).toEqual([]);
  });
});

describe.skipIf(!withTinyproxy)("a generic proxy", () => {
  beforeAll(async () => {
    proxy = await startTinyproxy();
  });
  afterAll(() => proxy.stop());

  test.each(names)("%s: is named", async (client) => {
    install();
    const error: unknown = await send(client, `http://127.0.0.1:${target.port}/secret?q=1`).catch((thrown: Error) =>
      client === "fetch" ? thrown.cause : thrown,
    );
    expect(error).toMatchObject({ code: "ERR_FORWARD_PROXY_GENERIC" });
    expect(String(error)).toMatch(
      /PLATFORM_PROXY_URL \(http:\/\/127\.0\.0\.1:\d+\) is a generic HTTP proxy: .*tinyproxy/,
    );
    expect(String(error)).not.toContain("q=1");
    expect(target.take()).toEqual([]);
  });
});
