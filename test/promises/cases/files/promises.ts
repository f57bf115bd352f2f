import type { Promises } from "../../promise.ts";

export const promises: Promises = {
  "An artifact that a job stores is read again": {
    steps: [{ call: "storeText", request: { text: "ä file" }, out: { value: "ä file" } }],
  },
  "An artifact is a local file, for programs that need a path": {
    steps: [{ call: "storeBytes", out: { value: 100_000 } }],
  },
};
