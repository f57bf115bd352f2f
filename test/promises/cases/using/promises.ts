import type { Promises } from "../../promise.ts";

const refused = "as documented it cannot lower newer syntax; the build ends, and says what to add";

export const promises: Promises = {
  "`using` and `await using`": {
    steps: [{ call: "releaseAll", out: { value: ["held", "second", "first"] } }],
    except: ({ build }) => (build === "Rollup" ? refused : undefined),
  },
};
