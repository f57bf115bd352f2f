import type { Promises } from "../../promise.ts";

export const promises: Promises = {
  "Enums and parameter properties": {
    steps: [{ call: "packBox", out: { value: "box Large" } }],
    except: ({ build }) =>
      build === "webpack"
        ? "webpack's own support of TypeScript removes types, and says that it can do no more"
        : undefined,
  },
};
