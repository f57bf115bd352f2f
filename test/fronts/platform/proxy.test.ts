import { AsyncLocalStorage } from "node:async_hooks";
import http, { createServer, request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startForwardProxy } from "../../../cli/local-platform/traffic/forward-proxy.ts";
import { urlOf } from "../../../cli/local-platform/routes/http-server.ts";
import type { OutboundJob } from "../../../runtime/outside/outbound/rules/job-headers.ts";
import { installOutbound } from "../../../runtime/outside/outbound/install-outbound.ts";
import { resolveOutboundPolicy } from "../../../runtime/service/config/outbound-policy.ts";

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A destination that tells what arrived, and the proxy in front of it. */
async function scene(): Promise<{ proxy: string; target: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const target = createServer((incoming, response) => {
    let body = "";
    incoming.on("data", (chunk) => (body += String(chunk)));
    incoming.on("end", () => {
      seen.push({ method: incoming.method, url: incoming.url, headers: incoming.headers, body });
      if (incoming.url === "/cut")
        response.writeHead(200, { "content-length": "10" }).write("half", () => response.destroy());
      else if (incoming.url === "/away")
        response.writeHead(302, { location: "/next", "set-cookie": ["a=1", "b=2"] }).end();
      else response.writeHead(201, { "x-answer": "yes", connection: "x-hop", "x-hop": "no" }).end(body.toUpperCase());
    });
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const proxy = await startForwardProxy({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await proxy.close();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  });
  return { proxy: proxy.url, target: urlOf(target, "127.0.0.1"), seen };
}

const token = `Bearer tpj_abc.${"m".repeat(43)}`;

test("fetches what the header names, as it was asked for", async () => {
  const { proxy, target, seen } = await scene();
  const answer = await fetch(proxy, {
    method: "POST",
    body: "hello",
    headers: {
      "platform-forward-url": `${target}/a%20b/f+a?x=1&y=+2&z=%2f`,
      "platform-job-id": "urn:platform:job:1",
      "job-lease": "nonce",
      "proxy-authorization": "Basic x",
      authorization: "Bearer of the author",
      "x-own": "kept",
    },
  });
  expect([answer.status, await answer.text(), answer.headers.get("x-answer"), answer.headers.get("x-hop")]).toEqual([
    201,
    "HELLO",
    "yes",
    null,
  ]);
  const [{ method, url, headers, body } = {}] = seen as [Partial<Seen>];
  expect([method, url, body]).toEqual(["POST", "/a%20b/f+a?x=1&y=+2&z=%2f", "hello"]);
  expect(headers).toMatchObject({
    host: new URL(target).host,
    authorization: "Bearer of the author",
    "x-own": "kept",
    "content-length": "5",
    via: "1.1 tenon-platform",
  });
  for (const name of ["platform-forward-url", "platform-job-id", "job-lease", "proxy-authorization"]) {
    expect(headers?.[name]).toBeUndefined();
  }
});

test("a job's token never leaves; redirects come back as they are; an answer that is cut is cut", async () => {
  const { proxy, target, seen } = await scene();
  const ask = (path: string): Promise<Response> =>
    fetch(proxy, { redirect: "manual", headers: { "platform-forward-url": target + path, authorization: token } });
  const away = await ask("/away");
  expect([away.status, away.headers.get("location"), away.headers.getSetCookie()]).toEqual([
    302,
    "/next",
    ["a=1", "b=2"],
  ]);
  expect([seen[0]?.headers.authorization, seen[0]?.method]).toEqual([undefined, "GET"]);
  await expect((await ask("/cut")).text()).rejects.toThrow("terminated");
});

test("says what is wrong: no header, no URL, itself, nobody there, too long, a web page's request", async () => {
  const { proxy, target } = await scene();
  const ask = async (headers: Record<string, string>): Promise<[number, string]> => {
    const answer = await fetch(proxy, { headers });
    const { error, detail } = (await answer.json()) as { error?: string; detail?: string };
    return [answer.status, error ?? detail ?? ""];
  };
  const to = (url: string): Record<string, string> => ({ "platform-forward-url": url });
  expect(await ask({})).toEqual([400, "Platform-Forward-Url header is required"]);
  for (const url of ["not a url", "/path", "ftp://x/", "http://user:pw@x/", "file:///etc/passwd"]) {
    expect((await ask(to(url)))[0]).toBe(400);
  }
  const { port } = new URL(proxy);
  for (const url of [proxy, `http://localhost:${port}/x`, `http://[::1]:${port}`, `http://127.1:${port}`]) {
    expect((await ask(to(url)))[0]).toBe(508);
  }
  expect((await ask({ ...to(target), via: "1.1 tenon-platform" }))[0]).toBe(508);
  const [status, text] = await ask(to("http://127.0.0.1:1/x"));
  expect([status, text]).toEqual([502, expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 cannot be reached: /)]);
  expect((await ask({ ...to(target), origin: "https://evil.example" }))[0]).toBe(403);
  const long = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(
        `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nPlatform-Forward-Url: ${target}/?q=${"x".repeat(20_000)}\r\n\r\n`,
      );
    });
    let answer = "";
    socket.on("data", (chunk) => (answer += String(chunk)));
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
  expect(long).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
});

test("a large body streams through without a length", async () => {
  const { proxy, target, seen } = await scene();
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const call = request(proxy, { method: "PUT", headers: { "platform-forward-url": target } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    call.on("error", reject);
    for (let n = 0; n < 100; n++) call.write("x".repeat(10_000));
    call.end();
  });
  expect([answer, seen[0]?.body.length, seen[0]?.headers["transfer-encoding"]]).toEqual([201, 1_000_000, "chunked"]);
});

test("requests of a job, through the runtime's own hooks: there and back, too long, and a loop", async () => {
  const { proxy, target, seen } = await scene();
  // The hooks load this module in the background, and cannot explain an answer before it is there.
  await import("../../../runtime/outside/outbound/rules/forward-errors.ts");
  const jobs = new AsyncLocalStorage<OutboundJob>();
  const policy = resolveOutboundPolicy({ PLATFORM_BASE_URL: "http://127.0.0.1:9", PLATFORM_PROXY_URL: proxy });
  onTestFinished(installOutbound({ job: () => jobs.getStore(), policy }));
  const job: OutboundJob = {
    id: "urn:platform:job:9",
    authorization: token,
    traceparent: undefined,
    tracestate: undefined,
  };
  const byFetch = (url: string): Promise<[number, string]> =>
    jobs.run(job, async (): Promise<[number, string]> => {
      const answer = await fetch(url, { method: "POST", body: "größe", headers: { "x-own": "kept" } });
      return [answer.status, await answer.text()];
    });
  const byHttp = (url: string): Promise<[number, string]> =>
    jobs.run(
      job,
      () =>
        new Promise((resolve, reject) => {
          const call = http.request(url, { method: "POST", headers: { "x-own": "kept" } }, (answer) => {
            let body = "";
            answer.setEncoding("utf8").on("data", (text: string) => (body += text));
            answer.on("end", () => resolve([answer.statusCode ?? 0, body]));
          });
          call.on("error", reject).end("größe");
        }),
    );
  const path = "/a%20b/f+a?x=1&y=+2&z=%2f";
  for (const send of [byFetch, byHttp]) {
    expect(await send(target + path)).toEqual([201, "größe".toUpperCase()]);
    const { method, url, headers, body } = seen.pop() as Seen;
    expect([method, url, body, headers["x-own"], headers.via]).toEqual([
      "POST",
      path,
      "größe",
      "kept",
      "1.1 tenon-platform",
    ]);
    expect([headers.host, headers.authorization, headers["platform-forward-url"]]).toEqual([
      new URL(target).host,
      undefined,
      undefined,
    ]);
    const error: unknown = await send(`${target}/?q=${"x".repeat(20_000)}`).catch(
      (thrown: Error) => thrown.cause ?? thrown,
    );
    expect(error).toMatchObject({ code: "ERR_FORWARD_HEADER_TOO_LARGE", status: 431 });
    // By another name than PLATFORM_PROXY_URL has, since requests to that very origin are left alone.
    const [status, text] = await send(`http://localhost:${new URL(proxy).port}/again`);
    expect([status, text]).toEqual([508, expect.stringContaining("would come back to this proxy")]);
  }
  expect(seen).toEqual([]);
});
