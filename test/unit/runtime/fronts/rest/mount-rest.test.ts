import { expect, test } from "vitest";
import type { Answer } from "../../../../../runtime/fronts/http/answer.ts";
import type { Exchange } from "../../../../../runtime/fronts/http/exchange.ts";
import { mountRest, type RestOptions } from "../../../../../runtime/fronts/rest/mount-rest.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";

test("routes that cannot be loaded are loaded by the next request, and the log says why they were not", async () => {
  const lines: string[] = [];
  loggingInit({ level: "ERROR", write: (line) => lines.push(line) });
  let tries = 0;
  const documents = async (): Promise<object> => {
    if (++tries === 1) throw new Error("too many open files");
    return {};
  };
  const { fallback } = mountRest({ tools: [], version: "1", consolePaths: [], documents } as unknown as RestOptions);
  const status = (): Promise<number> =>
    new Promise((resolve) => {
      const answer = (given: Answer): void => resolve(given.status);
      fallback({ method: "GET", path: "/healthz", answer } as Exchange, undefined);
    });
  expect([await status(), await status(), await status(), tries]).toEqual([500, 200, 200, 2]);
  await flushLogs();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: "request failed", error: { message: "too many open files" } },
  ]);
});
