import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { JobHub } from "../../../../../cli/local-platform/jobs/job-hub.ts";
import type { JobQueue } from "../../../../../cli/local-platform/jobs/job-queue.ts";
import { startRestCaller } from "../../../../../cli/local-platform/services/rest-caller.ts";

const job = {
  lease: { id: "urn:platform:job:1", attempt: 1, token: "t" },
  service: "primes",
  lastSequence: 0,
  content: { type: "application/json", text: "{}" },
  authorization: "Bearer x",
};

/** Answers of a service, of which the last one is repeated. */
async function service(...answers: readonly ((response: ServerResponse) => void)[]) {
  const calls: { readonly method: string | undefined; readonly at: number }[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    request.resume();
    calls.push({ method: request.method, at: performance.now() });
    answers[Math.min(calls.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Calls a service for jobs until the end of the test. */
function call(url: string, next: JobQueue["next"]) {
  const said: string[] = [];
  const settled = vi.fn<JobQueue["settle"]>(async () => "stored");
  const queue = { leaseSeconds: 15, next, settle: settled, renew: async () => "ok", release: async () => "ok" };
  const caller = startRestCaller({
    service: () => ({ key: "primes", name: "primes", urn: "urn:x", definition: {} }) as never,
    url,
    queue: queue as unknown as JobQueue,
    hub: { follow: () => () => {} } as unknown as JobHub,
    warn: (line) => said.push(line),
  });
  onTestFinished(() => caller.stop());
  return { said, settled };
}

/** Waits for a job that never comes. */
const none: JobQueue["next"] = (_, { onGone }) =>
  new Promise((resolve) => {
    const remove = onGone(() => {
      remove();
      resolve(undefined);
    });
  });

test("jobs are taken again when the store is back; its failure is told once", async () => {
  const { url } = await service((response) => response.end("{}"));
  let failures = 0;
  let given = false;
  const { said, settled } = call(url, async (key, asking) => {
    // Each of the loops fails once.
    if (failures < 32) {
      failures++;
      throw new Error("The store is away.");
    }
    if (given) return none(key, asking);
    given = true;
    return job as never;
  });
  await expect.poll(() => settled.mock.calls.length).toBe(1);
  expect(said).toEqual(["The jobs of primes wait, since the store has failed: The store is away."]);
});

test("a service that answers a poll at once is asked again after the time that it names", async () => {
  const later = (response: ServerResponse): void => {
    response.writeHead(204, { location: "/jobs/1", "retry-later": "0.3" }).end();
  };
  const { url, calls } = await service(later, later, (response) => response.end("{}"));
  let given = false;
  const { settled } = call(url, (key, asking) => {
    if (given) return none(key, asking);
    given = true;
    return Promise.resolve(job as never);
  });
  await expect.poll(() => settled.mock.calls.length).toBe(1);
  expect(calls.map(({ method }) => method)).toEqual(["POST", "GET", "GET"]);
  const [first = 0, , last = 0] = calls.map(({ at }) => at);
  expect(last - first).toBeGreaterThan(550);
});
