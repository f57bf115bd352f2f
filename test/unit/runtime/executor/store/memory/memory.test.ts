import { createMemoryStore } from "../../../../../../runtime/executor/store/memory/memory.ts";
import { describeStore } from "../conformance.ts";

describeStore("memory", {
  place: () => ({ open: createMemoryStore }),
  durable: false,
});
