import { afterEach, beforeAll, expect, test } from "vitest";
import type { Executor } from "../../../../../runtime/executor/executor.ts";
import { createExecutor } from "../../../../../runtime/executor/job-executor.ts";
import { loadKept } from "../../../../../runtime/executor/kept/load-kept.ts";
import { currentJob } from "../../../../../runtime/job/current-job.ts";
import { Conversation } from "../../../../../runtime/job/conversation.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { Question } from "../../../../../runtime/job/question.ts";
import { loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { deferred, fakeTool } from "../../../../support/fake-tool.ts";
import { sqlitePlace } from "../store/sqlite-place.ts";

const id: JobUrn = "urn:platform:job:a";
const question: Question = { key: "go", method: "elicitation/create", params: {}, accepts: () => true };
const place = sqlitePlace();
const executors: Executor[] = [];

beforeAll(async () => {
  loggingInit({ level: "CRITICAL" });
  await loadKept();
});

afterEach(async () => {
  for (const executor of executors.splice(0)) await executor.drain(0);
  place.remove();
});

test.each(["before it is taken up again", "before its next attempt asks again"])(
  "an answer to a job that was given back counts, when it comes %s",
  async (when) => {
    const mayAsk = deferred();
    let asked = 0;
    const tool = fakeTool(
      async () => {
        if (asked > 0) await mayAsk.promise;
        asked += 1;
        return currentJob.getStore()?.client?.ask(question);
      },
      { definition: { durable: true } },
    );
    const open = (): [Executor, ReturnType<typeof place.open>] => {
      const store = place.open();
      const executor = createExecutor({ tools: [tool], store });
      executors.push(executor);
      return [executor, store];
    };
    const [first, before] = open();
    first.start({ tool, input: {}, id, client: new Conversation({ elicitation: {} }) });
    await expect.poll(async () => Object.keys((await before.get(id))?.talk?.open ?? {})).toEqual(["go"]);
    await first.drain(0);
    await before.close();
    const [second, store] = open();
    if (when.includes("taken up")) await second.answer(id, { go: { action: "accept" } });
    await second.resume();
    await expect.poll(() => second.jobs.length).toBe(1);
    if (!when.includes("taken up")) await second.answer(id, { go: { action: "accept" } });
    mayAsk.resolve();
    await expect.poll(async () => (await store.get(id))?.state).toBe("succeeded");
    expect([asked, (await store.get(id))?.attempt]).toEqual([2, 1]);
    await second.drain(0);
    await store.close();
  },
);
