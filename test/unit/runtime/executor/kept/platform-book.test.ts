import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { platformBooks } from "../../../../../runtime/executor/kept/platform-book.ts";
import { StaleError } from "../../../../../runtime/job/steps/step-errors.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";

interface Call {
  readonly call: string;
  readonly lease: string | undefined;
  readonly body: string;
}

type Answer = readonly [status: number, body?: unknown];

/** A platform with one job; `answer` says what it answers to a call, later if it is a promise. */
async function platform(answer: (call: Call) => Answer | Promise<Answer>, pauses = 0) {
  const calls: Call[] = [];
  const seen = { left: 0 };
  const server = createServer((request, response) => {
    response.on("close", () => (seen.left += response.writableFinished ? 0 : 1));
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", async () => {
      const lease = request.headers["job-lease"] as string | undefined;
      const call = { call: `${request.method} ${request.url}`, lease, body };
      calls.push(call);
      const [status, content] = await answer(call);
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(content ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  let now = 0;
  // The time that passes is that of the pauses between tries.
  const sleep = vi.fn<() => Promise<void>>(async () => void (now += pauses));
  const clock = { now: () => now, random: () => 0.5, sleep };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = platformBooks({ baseUrl, localDir: "", clock });
  const jobOf = (headers: Readonly<Record<string, string>> | undefined = { "Job-Lease": "one" }) => {
    const stop = new AbortController();
    const job = {
      id: "urn:job:own",
      signal: stop.signal,
      attempt: headers === undefined ? undefined : { id: "urn:job:theirs", headers },
      ending: undefined as object | undefined,
      cancel: vi.fn<(reason: string) => void>(),
      stop: vi.fn<(error: Error) => void>(),
      leave: vi.fn<(parking: object) => void>(),
    };
    onTestFinished(() => stop.abort());
    return { job, open: () => open(job as never), end: () => stop.abort() };
  };
  return { calls, jobOf, sleep, seen };
}

const step = { key: "ship[1]", state: "done", fingerprint: "f", tries: 1, value: "1" } as const;
const stored = { key: "charge", state: "done", attempt: 1, tries: 1, startedAt: 0, fingerprint: "f", value: "2" };
const path = "/jobs/urn:job:theirs/steps";

test("steps are read once, and each is stored at the platform, under the attempt's lease", async () => {
  const { calls, jobOf } = await platform(({ call }) => [200, call.startsWith("GET") ? { steps: [stored] } : {}]);
  const book = await jobOf().open();
  expect([...book.known.keys()]).toEqual(["charge"]);
  await book.keep(step);
  expect(calls.map(({ call, lease }) => [decodeURIComponent(call), lease])).toEqual([
    [`GET ${path}`, "one"],
    [`PUT ${path}/ship[1]`, "one"],
  ]);
  const { key, ...rest } = step;
  expect([JSON.parse(calls[1]?.body ?? ""), book.known.get(key)?.value]).toEqual([rest, "1"]);
  expect(book.park).toBeUndefined();
});

test("a step that ends after its job was stopped is stored, also when the platform does not answer at once", async () => {
  let failures = 1;
  const { calls, jobOf } = await platform(({ call }) =>
    call.startsWith("GET") || failures-- <= 0 ? [200, {}] : [503],
  );
  const { open, end } = jobOf();
  const book = await open();
  end();
  await book.keep(step);
  expect(calls.map(({ call }) => call.split(" ")[0])).toEqual(["GET", "PUT", "PUT"]);
  expect(book.known.get(step.key)?.value).toBe("1");
});

test("a job without an attempt has its own id, and an answer without steps means none", async () => {
  const { calls, jobOf } = await platform(() => [200, { steps: "odd" }]);
  const book = await jobOf(undefined as never).open();
  expect(book.known.size).toBe(0);
  expect(calls.map(({ call }) => decodeURIComponent(call))).toEqual([`GET ${path}`]);
});

test.each([404, 405, 501])(
  "a platform that answers %i keeps no steps: they are in memory, with one line",
  async (status) => {
    const lines: string[] = [];
    loggingInit({ level: "WARNING", write: (line) => lines.push(line) });
    const { calls, jobOf } = await platform(() => [status]);
    for (let count = 0; count < 2; count++) {
      const book = await jobOf().open();
      await book.keep(step);
      expect(book.known.get(step.key)?.value).toBe("1");
    }
    await flushLogs();
    expect(calls.map(({ call }) => call.split(" ")[0])).toEqual(["GET"]);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      "the platform keeps no steps: a job keeps them while its attempt lives",
    ]);
  },
);

test("without a platform steps are in memory", async () => {
  const book = await platformBooks({ baseUrl: undefined, localDir: "" })({} as never);
  await book.keep(step);
  expect(book.known.has(step.key)).toBe(true);
});

test("a step of more than a mebibyte is refused, and nothing is sent", async () => {
  const { calls, jobOf } = await platform(() => [200, {}]);
  const book = await jobOf().open();
  const most = 1024 * 1024;
  await book.keep({ ...step, value: "x".repeat(most) });
  await expect(book.keep({ ...step, key: "ship[2]", value: "x".repeat(most + 1) })).rejects.toMatchObject({
    kind: "invalid-result",
    message: "The result of step ship[2] has more than 1048576 bytes. Keep large results as artifacts.",
  });
  expect(calls).toHaveLength(2);
});

test.each([409, 410])("a platform that answers %i has given the job away: it is cancelled, once", async (status) => {
  const { jobOf } = await platform(({ call }) => (call.startsWith("GET") ? [200, {}] : [status]));
  const { job, open } = jobOf();
  const book = await open();
  await expect(book.keep(step)).rejects.toBeInstanceOf(StaleError);
  expect(job.cancel.mock.calls).toEqual([["The job was given to another worker, or is gone."]]);
  job.ending = {};
  await expect(book.keep(step)).rejects.toBeInstanceOf(StaleError);
  expect([job.cancel.mock.calls.length, book.known.size]).toEqual([1, 0]);
});

test("another refusal is an error with the operation, and is not tried again", async () => {
  const { calls, jobOf } = await platform(({ call }) =>
    call.startsWith("GET") ? [200, {}] : [400, { message: "odd" }],
  );
  const book = await jobOf().open();
  await expect(book.keep(step)).rejects.toThrow(/keep step ship\[1\].*odd/);
  expect(calls).toHaveLength(2);
  const refused = await platform(() => [403]);
  await expect(refused.jobOf().open()).rejects.toThrow(/read the steps of the job/);
});

test("a step is tried for five minutes while the platform does not answer", async () => {
  let failures = 20;
  const { calls, jobOf, sleep } = await platform(
    ({ call }) => (call.startsWith("GET") || failures-- <= 0 ? [200, {}] : [503]),
    14_000,
  );
  const book = await jobOf().open();
  await book.keep(step);
  expect([calls.length, sleep.mock.calls.length]).toEqual([22, 20]);
  failures = Infinity;
  await expect(book.keep({ ...step, key: "ship[2]" })).rejects.toThrow(
    /keep step ship\[2\]: the platform answered 503/,
  );
  // 22 pauses of 14 seconds are more than 300 seconds; the next failure is the last one.
  expect(sleep.mock.calls.length).toBe(42);
});

test("messages are polled for while somebody listens, and the job can be parked under a lease", async () => {
  const first = { name: "go", body: "1" };
  const polls: PromiseWithResolvers<Answer>[] = [];
  const { calls, jobOf, seen } = await platform(({ call }) => {
    if (call.includes("/steps")) return [200, { messages: [first] }];
    const poll = Promise.withResolvers<Answer>();
    polls.push(poll);
    return poll.promise;
  });
  const { job, open, end } = jobOf();
  const book = await open();
  expect([book.message("go"), book.message("stop")]).toEqual([first, undefined]);
  book.park?.({ until: 1 } as never);
  expect(job.leave.mock.calls).toEqual([[{ until: 1 }]]);
  let heard = 0;
  const [one, other] = [book.onMessage(() => heard++), book.onMessage(() => heard++)];
  await expect.poll(() => polls.length).toBe(1);
  polls[0]?.resolve([200, { messages: [] }]);
  await expect.poll(() => polls.length).toBe(2);
  expect(heard).toBe(0);
  polls[1]?.resolve([200, { messages: [{ name: "stop", body: "2" }] }]);
  await expect.poll(() => polls.length).toBe(3);
  expect([heard, book.message("stop")?.body]).toEqual([2, "2"]);
  expect(calls.slice(1).map(({ call }) => call.split("?")[1])).toEqual([
    "after=1&wait=20",
    "after=1&wait=20",
    "after=2&wait=20",
  ]);
  one();
  expect(seen.left).toBe(0);
  other();
  await expect.poll(() => seen.left).toBe(1);
  // The next listener begins to poll again.
  book.onMessage(() => heard++);
  await expect.poll(() => polls.length).toBe(4);
  // The end of the job ends them.
  job.ending = {};
  end();
  await expect.poll(() => seen.left).toBe(2);
  expect(job.stop.mock.calls).toEqual([]);
});

test("a refresh reads the messages at once, beside a poll, and each of them counts once", async () => {
  const go = { name: "go", body: "1" };
  const stop = { name: "stop", body: "2" };
  const polls: PromiseWithResolvers<Answer>[] = [];
  const { calls, jobOf } = await platform(({ call }) => {
    if (!call.includes("wait=20")) return [200, { messages: call.includes("/steps") ? [] : [go] }];
    const poll = Promise.withResolvers<Answer>();
    polls.push(poll);
    return poll.promise;
  });
  const book = await jobOf().open();
  let heard = 0;
  book.onMessage(() => heard++);
  await expect.poll(() => polls.length).toBe(1);
  await book.refresh();
  expect([heard, book.message("go")]).toEqual([1, go]);
  polls[0]?.resolve([200, { messages: [go, stop] }]);
  await expect.poll(() => polls.length).toBe(2);
  expect([heard, book.message("stop")]).toEqual([2, stop]);
  expect(calls.slice(1).map(({ call }) => call.split("?")[1])).toEqual([
    "after=0&wait=20",
    "after=0&wait=0",
    "after=2&wait=20",
  ]);
});

test("a job that cannot hear its messages is stopped", async () => {
  const answer = ({ call }: Call): Answer => (call.includes("/steps") ? [200, { messages: [] }] : [400]);
  const { jobOf } = await platform(answer);
  const { job, open } = jobOf({});
  const book = await open();
  expect(book.park).toBeUndefined();
  book.onMessage(() => {});
  await expect.poll(() => job.stop.mock.calls.length).toBe(1);
  expect(job.stop.mock.calls[0]?.[0]).toMatchObject({
    kind: "system",
    cause: { message: expect.stringContaining("read the messages of the job") as string },
  });
});
