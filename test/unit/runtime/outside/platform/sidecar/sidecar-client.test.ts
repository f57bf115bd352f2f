import { createServer, type RequestListener } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { currentJob } from "../../../../../../runtime/job/current-job.ts";
import { call, judge } from "../../../../../../runtime/outside/platform/sidecar/judge-answer.ts";
import {
  createSidecarClient,
  sidecarPath,
  type SidecarClient,
} from "../../../../../../runtime/outside/platform/sidecar/sidecar-client.ts";

/** Longer than any test: a busy machine may need seconds for an answer. */
const timeout = 600_000;

async function listen<T extends Server>(server: T, host = "127.0.0.1"): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function client(listener: RequestListener, path = ""): Promise<SidecarClient> {
  const server = createServer(listener);
  onTestFinished(() => server.closeAllConnections());
  const made = createSidecarClient(`http://127.0.0.1:${await listen(server)}${path}`);
  onTestFinished(() => made.close());
  return made;
}

test("sends what it is told below the base path, and nothing else", async () => {
  const seen: unknown[] = [];
  const made = await client((request, response) => {
    const { host: _, ...headers } = request.headers;
    seen.push([request.method, request.url, headers]);
    request.resume().on("end", () => response.end("ok"));
  }, "/base/path");
  // Also inside a job: its token must not be added by whatever looks at requests of jobs.
  await currentJob.run({ id: "urn:platform:job:a", authorization: "Bearer a" } as never, () =>
    made.send({ method: "GET", path: "/next_job", timeout }),
  );
  const answer = await made.send({ method: "POST", path: "/x", body: "é", headers: { "X-A": "1" }, timeout });
  expect([answer.status, answer.body.toString()]).toEqual([200, "ok"]);
  expect(seen).toEqual([
    ["GET", "/base/path/next_job", { connection: "keep-alive" }],
    ["POST", "/base/path/x", { connection: "keep-alive", "content-length": "2", "x-a": "1" }],
  ]);
});

test("ids are encoded in paths, whatever they hold", () => {
  expect(sidecarPath("results", "urn:platform:job:a/../b?c#d %\u{1f600}\ud800")).toBe(
    "/results/urn%3Aplatform%3Ajob%3Aa%2F..%2Fb%3Fc%23d%20%25%F0%9F%98%80%EF%BF%BD",
  );
});

test("redirects are answers, and never followed", async () => {
  let count = 0;
  const made = await client((_, response) => {
    count++;
    response.writeHead(307, { Location: "/elsewhere" }).end();
  });
  expect(await call(made, { method: "GET", path: "/a", timeout })).toMatchObject({
    kind: "refused",
    reason: "the sidecar answered 307",
  });
  expect(count).toBe(1);
});

test.each<[string, RequestListener, string, string?]>([
  ["silent", () => {}, "silent"],
  ["a body that never ends", (_, response) => void response.writeHead(200).write("x"), "silent"],
  [
    "cut",
    (_, response) => void response.writeHead(200, { "Content-Length": "10" }).write("x", () => response.destroy()),
    "broken",
    "the connection was closed within the answer",
  ],
  [
    "closed without an answer",
    (request) => request.socket.destroy(),
    "broken",
    "the connection was closed without an answer",
  ],
  ["too large by its length", (_, response) => void response.end("x".repeat(70_000)), "too-large"],
  [
    "too large as it comes",
    (_, response) => void (response.write("x".repeat(60_000)), response.end("x".repeat(60_000))),
    "too-large",
  ],
])("%s: a fault with a name", async (_, listener, fault, message) => {
  const made = await client(listener);
  const limit = fault === "silent" ? 50 : timeout;
  await expect(made.send({ method: "GET", path: "/", timeout: limit })).rejects.toMatchObject({
    name: "SidecarError",
    fault,
    ...(message !== undefined && { message }),
  });
});

test("nobody there, and no HTTP", async () => {
  const closed = createSocketServer();
  const port = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  await expect(
    createSidecarClient(`http://127.0.0.1:${port}`).send({ method: "GET", path: "/", timeout }),
  ).rejects.toMatchObject({ fault: "unreachable" });
  const other = await listen(createSocketServer((socket) => void socket.end("SSH-2.0-x\r\n")));
  await expect(
    createSidecarClient(`http://127.0.0.1:${other}`).send({ method: "GET", path: "/", timeout }),
  ).rejects.toMatchObject({ fault: "broken" });
});

test("given up, before and during the call", async () => {
  const made = await client(() => {});
  await expect(made.send({ method: "GET", path: "/", timeout, signal: AbortSignal.abort() })).rejects.toMatchObject({
    fault: "aborted",
  });
  const stop = new AbortController();
  const sent = made.send({ method: "GET", path: "/", timeout, signal: stop.signal });
  stop.abort();
  await expect(sent).rejects.toMatchObject({ fault: "aborted" });
});

test("an idle connection that the other side closes meanwhile costs nothing", async () => {
  let connections = 0;
  const port = await listen(
    createSocketServer((socket) => {
      connections++;
      let requests = 0;
      socket.on("error", () => {});
      socket.on("data", () => {
        // The second request on a connection meets its end.
        if (++requests > 1) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 204 No Content\r\n\r\n");
      });
    }),
  );
  const made = createSidecarClient(`http://127.0.0.1:${port}`);
  onTestFinished(() => made.close());
  for (let n = 0; n < 4; n++)
    expect((await made.send({ method: "POST", path: "/", body: "x", timeout })).status).toBe(204);
  expect(connections).toBe(4);
});

test("an IPv6 address", async () => {
  const server = createServer((_, response) => response.end());
  onTestFinished(() => server.closeAllConnections());
  const port = await listen(server, "::1");
  expect((await createSidecarClient(`http://[::1]:${port}`).send({ method: "GET", path: "/", timeout })).status).toBe(
    200,
  );
});

test.each([
  [[200, 201, 204], "accepted"],
  [[409, 410], "stale"],
  [[301, 307, 400, 401, 403, 404, 413, 422], "refused"],
  [[408, 425, 429, 500, 502, 503, 504], "failed"],
])("%j is %s", (statuses, kind) => {
  expect(statuses.map((status) => judge({ status, headers: {}, body: Buffer.alloc(0) }).kind)).toEqual(
    statuses.map(() => kind),
  );
});
