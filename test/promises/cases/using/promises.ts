import type { Promises } from "../../promise.ts";
import type { Way } from "../../ways.ts";

const refused =
  "with its documented configuration, the bundler cannot compile newer syntax; the build fails, and says what to add";

const except = ({ build }: Way): string | undefined => (build === "Rollup" ? refused : undefined);

export const promises: Promises = {
  "`using` and `await using`": {
    steps: [{ call: "releaseAll", out: { value: ["held", "second", "first"] } }],
    except,
  },
  "`using step = job.report.step(…)` ends with its block": {
    steps: [{ call: "usingStep", out: { events: [{ name: "block" }, {}, { name: "block" }] } }],
    except,
  },
};
