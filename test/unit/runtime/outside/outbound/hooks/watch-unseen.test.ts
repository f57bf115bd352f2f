import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";
import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OutboundJob } from "../../../../../../runtime/outside/outbound/rules/job-headers.ts";
import { createContext } from "../../../../../../runtime/outside/outbound/hooks/outbound-context.ts";
import { resolveOutboundPolicy } from "../../../../../../runtime/service/config/outbound-policy.ts";
import { watchUnseen } from "../../../../../../runtime/outside/outbound/hooks/watch-unseen.ts";

const jobs = new AsyncLocalStorage<OutboundJob>();
const job: OutboundJob = { id: "j", authorization: undefined, traceparent: undefined, tracestate: undefined };
let told: string[];
let stop: () => void;
let context: ReturnType<typeof createContext>;
beforeEach(() => {
  told = [];
  context = createContext(
    () => jobs.getStore(),
    resolveOutboundPolicy({}),
    (text) => told.push(text),
  );
  stop = watchUnseen(context);
});
afterEach(() => stop());

function undici(headers: readonly string[], Request: new () => object, method = "GET"): void {
  channel("undici:request:create").publish({ request: Object.assign(new Request(), { headers, method }) });
}

/** Each copy of undici has a class of its own. */
function copyOfRequest(): new () => object {
  return class {
    readonly origin = "http://a.local";
  };
}

test("a copy of undici that never shows our header is named once; one that has shown it is ours for good", async () => {
  const Unprepared = copyOfRequest();
  const Prepared = copyOfRequest();
  undici([], Unprepared);
  expect(told).toEqual([]);
  jobs.run(job, () => {
    undici(["platform-job-id", "j"], Prepared);
    // A request of no job that waited in the pool of a job.
    undici(["a", "b"], Prepared);
    undici([], Unprepared, "CONNECT");
    expect(told).toEqual([]);
    undici(["a", "b"], Unprepared);
    undici(["a", "b"], Unprepared);
  });
  await vi.waitFor(() => expect(told).not.toEqual([]));
  expect(told).toEqual([
    expect.stringMatching(
      /^A copy of undici in \S+watch-unseen\.test\.ts has not been prepared by tenon: .*PLATFORM_PROXY_URL\. Import /,
    ),
  ]);
});

test("a request of node:http that its hook has not made is told with the file that made it", async () => {
  const publish = (method: string): void => channel("http.client.request.created").publish({ request: { method } });
  publish("GET");
  jobs.run(job, () => {
    publish("CONNECT");
    context.asked++;
    publish("GET");
    context.asked--;
    expect(told).toEqual([]);
    publish("GET");
    publish("GET");
  });
  await vi.waitFor(() => expect(told).not.toEqual([]));
  expect(told).toEqual([
    expect.stringMatching(/watch-unseen\.test\.ts took a function out of node:http .* job's token/),
  ]);
});

test("node:http2 is told", async () => {
  const server = createServer((_request, response) => response.end("x"));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await jobs.run(job, () => new Promise((resolve) => session.request({ ":path": "/" }).resume().on("end", resolve)));
  session.close();
  await new Promise((resolve) => server.close(resolve));
  await vi.waitFor(() => expect(told).not.toEqual([]));
  expect(told).toEqual([expect.stringMatching(/^A tool sends requests over node:http2/)]);
});
