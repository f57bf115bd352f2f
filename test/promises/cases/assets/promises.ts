import type { Promises } from "../../promise.ts";
import type { BuildName } from "../../builds.ts";

const withFiles: ReadonlySet<BuildName> = new Set(["tenon build", "webpack", "Rspack"]);

export const promises: Promises = {
  "A file beside the module, by `new URL(…, import.meta.url)`": {
    steps: [{ call: "readAsset", out: { value: "an asset" } }],
    except: ({ build }) =>
      withFiles.has(build)
        ? undefined
        : "the bundler copies no files that code names by `import.meta.url`, with or without tenon",
  },
};
