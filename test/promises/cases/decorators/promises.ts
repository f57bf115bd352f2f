import type { Promises } from "../../promise.ts";

const refused =
  "with its documented configuration, the bundler cannot compile decorators; the build fails, and says what to add";

export const promises: Promises = {
  "Standard decorators": {
    steps: [{ call: "useDecorators", out: { value: [8, 1] } }],
    except: ({ build }) => (build === "Rollup" || build === "webpack" ? refused : undefined),
  },
};
