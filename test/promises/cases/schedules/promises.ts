import type { Promises } from "../../promise.ts";

const fired = /^\["by itself","schedule",null,"urn:platform:job:schedule~noteFiring~1~\d{8}T\d{6}Z"\]$/;

export const promises: Promises = {
  "A tool with `@schedule` starts by itself": {
    steps: [{ call: "untilFired", out: { value: fired } }],
    elsewhere: {
      stdio: "the client of a process over standard input and output starts its jobs",
      batch: "a platform starts the jobs of a batch worker",
    },
  },
};
