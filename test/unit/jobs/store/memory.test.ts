import { createMemoryStore } from "../../../../runtime/jobs/store/memory.ts";
import { describeStore } from "./conformance.ts";

describeStore("memory", {
  place: () => ({ open: createMemoryStore }),
  durable: false,
  gaps: {
    "the same id with another digest is a conflict, while it runs and after":
      "submit() compares the tool only, when the id is known; finished jobs do not keep their digest",
    "invariant 7: tells the worker that somebody cancelled the job, and why":
      "renew() after cancel() answers `ended`, not `{ cancel: reason }`",
    "a record is a copy: it does not change with the job": "get() hands out its own array of events",
    "a key is forgotten with its job":
      "submit() looks at the key's digest before it looks whether the key's job is still there",
  },
  tolerated: ["digest-of-id", "cancel-unheard", "live-events"],
});
