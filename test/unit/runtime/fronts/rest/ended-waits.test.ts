import { expect, test } from "vitest";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { RunningJob } from "../../../../../runtime/executor/running/running-job.ts";
import { createMemoryStore } from "../../../../../runtime/executor/store/memory/memory.ts";
import { JobEventStreams } from "../../../../../runtime/fronts/rest/job-event-stream.ts";
import { type Answerer, jobRoutes } from "../../../../../runtime/fronts/rest/job-routes.ts";
import { createPostTool } from "../../../../../runtime/fronts/rest/post-tool.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeExchange } from "../../../../support/fake-exchange.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

test("a job that cannot be kept is cancelled, since its call may be repeated", async () => {
  loggingInit({ level: "CRITICAL" });
  const tool = fakeTool(() => new Promise<number>(() => {}));
  const store = Object.assign(createMemoryStore(), { submit: () => Promise.reject(new Error("The store is away.")) });
  const executor = createExecutor({ tools: [tool], store });
  const delivery = { report() {}, reportsResults: false, catchUp: () => undefined };
  const options = { executor, bodyLimit: 1000, deferredStatus: 202, onPlatform: false, delivery } as const;
  const headers = { "content-type": "application/json", prefer: "wait=0" };
  const call = fakeExchange({ headers, body: "{}" });
  createPostTool(tool, options, () => {})(call.exchange, undefined);
  await expect.poll(() => call.answers.map(({ status }) => status)).toEqual([500]);
  expect(executor.jobs).toEqual([]);
});

test("a call and a long poll that got their 202 are forgotten, while the job goes on", async () => {
  // At DEBUG, which an earlier file in this worker may have set, the log waits for the end of each job.
  loggingInit({ level: "INFO" });
  const tool = fakeTool(() => new Promise<number>(() => {}));
  const executor = createExecutor({ tools: [tool], store: createMemoryStore() });
  const delivery = { report() {}, reportsResults: false, catchUp: () => undefined };
  const options = {
    executor,
    bodyLimit: 1000,
    deferredStatus: 202,
    onPlatform: false,
    delivery,
    tools: [tool],
  } as const;

  const call = fakeExchange({ headers: { "content-type": "application/json", prefer: "wait=0.01" }, body: "{}" });
  createPostTool(tool, options, () => {})(call.exchange, undefined);
  await expect.poll(() => call.answers.map(({ status }) => status)).toEqual([202]);
  const [job] = executor.jobs;
  if (!(job instanceof RunningJob)) throw new Error("no job");
  /** True if anybody waits for the job's end: `heard` resolves at once then. */
  const isHeard = async (): Promise<boolean> => {
    let heard = false;
    void job.heard.then(() => (heard = true));
    await new Promise(setImmediate);
    return heard;
  };
  expect(await isHeard()).toBe(false);

  const routes = new Map<string, Answerer>();
  jobRoutes((method, path, answer) => routes.set(`${method} ${path}`, answer), "", options, {
    streams: new JobEventStreams({ source: "test" }),
    turns: async (_, task) => task(),
  });
  const poll = fakeExchange({ headers: { prefer: "wait=0.01" } });
  const answered = routes.get("GET /jobs/:id")?.({ exchange: poll.exchange, caller: undefined, id: job.id });
  expect((await answered)?.status).toBe(202);
  expect(await isHeard()).toBe(false);
  void job.done;
  expect(await isHeard()).toBe(true);
});
