import { FinishedPerTool } from "../../../../../../runtime/executor/store/memory/finished-per-tool.ts";
import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import { describeStore, type OpenOptions } from "../conformance.ts";

/** The store as a service opens it: with shelves where tools have numbers of their own. */
function open({ perTool, ...options }: OpenOptions): ReturnType<typeof createMemoryStore> {
  if (perTool === undefined) return createMemoryStore(options);
  const { maxFinished: shared = 10_000, now } = options;
  return createMemoryStore({ now, finished: new FinishedPerTool({ shared, perTool, now }) });
}

describeStore("memory", {
  place: () => ({ open }),
  durable: false,
});
