import type { Promises } from "../../promise.ts";
import type { Way } from "../../ways.ts";

const except = ({ build }: Way): string | undefined =>
  build === "Rollup" ? "Rollup reads neither CommonJS nor JSON without its own plugins, as the page says" : undefined;

export const promises: Promises = {
  "`await import()` of a CommonJS module, with its names": {
    steps: [{ call: "importCommonJs", out: { value: ["Hello, Ann!", "Hello, Bob!"] } }],
    except,
  },
  "`await import()` of a JSON module": {
    steps: [{ call: "importJson", out: { value: ["red", "3"] } }],
    except,
  },
};
