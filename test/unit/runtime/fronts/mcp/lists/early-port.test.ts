import { expect, test } from "vitest";
import { earlyPort } from "../../../../../../runtime/fronts/mcp/lists/early-port.ts";
import type { McpPort } from "../../../../../../runtime/fronts/mcp/port/port.ts";

type Start = McpPort["startCall"];

/** A port that is loaded when `arrive` is called, and the names of the calls that it started. */
function late(): {
  readonly load: () => Promise<McpPort>;
  readonly arrive: () => Promise<void>;
  readonly log: string[];
} {
  const log: string[] = [];
  const startCall: Start = (name) => {
    log.push(name);
    return () => log.push(`${name} cancelled`);
  };
  const loading = Promise.withResolvers<McpPort>();
  return {
    log,
    load: () => loading.promise,
    async arrive() {
      loading.resolve({ startCall } as McpPort);
      await loading.promise;
    },
  };
}

const info = { name: "Test", version: "1" };
const nothing = (): void => {};

test("calls wait for what runs them, and keep their order", async () => {
  const { load, arrive, log } = late();
  const port = earlyPort({ info, tools: [] }, load);
  port.startCall("first", {}, {}, nothing);
  port.startCall("second", {}, {}, nothing);
  expect(log).toEqual([]);
  await arrive();
  port.startCall("third", {}, {}, nothing);
  expect(log).toEqual(["first", "second", "third"]);
});

test("a call that is cancelled before is never started, and one that waited can be cancelled", async () => {
  const { load, arrive, log } = late();
  const port = earlyPort({ info, tools: [] }, load);
  const cancelOne = port.startCall("one", {}, {}, nothing);
  const cancelTwo = port.startCall("two", {}, {}, nothing);
  cancelOne();
  await arrive();
  cancelTwo();
  expect(log).toEqual(["two", "two cancelled"]);
});
