import type { Promises } from "../../promise.ts";
import { builds, type Build } from "../../builds.ts";

const request = { mark: "{token}" };
const ofTheApplication = "an application of your own decides what such a rejection does to its process";
const hasMaps = (name: keyof typeof builds): boolean => (builds[name] satisfies Build as Build).hasMaps === true;

export const promises: Promises = {
  "A line of `job.logger` has the id of its job, and the tool": {
    steps: [
      { call: "writeLines", request, out: { value: null } },
      { logged: { mark: "{token}", place: "job", level: "INFO", msg: "by the job", tool: /^writeLines/ } },
    ],
  },
  "A line of `getLogger` within a job has its id, after an `await` as well": {
    steps: [
      { call: "writeLines", request, out: { value: null } },
      { logged: { mark: "{token}", place: "helper", level: "WARNING", name: "helper", tool: /^writeLines/ } },
    ],
  },
  "Secrets are redacted, and a field never takes the place of one of ours": {
    steps: [
      { call: "writeLines", request, out: { value: null } },
      { logged: { mark: "{token}", place: "helper", password: "[redacted]", tool_: "mine" } },
    ],
  },
  "A printed line disturbs no protocol": {
    steps: [{ call: "printLine", request, out: { value: "{token}" } }],
  },
  "A system error tells callers a fixed text, and the log everything": {
    steps: [
      { call: "throwSecret", request, out: { failure: { kind: "system", message: /^(?!.*secret)/ } } },
      {
        logged: {
          level: "ERROR",
          tool: /^throwSecret/,
          error: { message: "secret of {token}", cause: { message: "deeper" } },
        },
      },
    ],
  },
  "A stack names the line of the source": {
    steps: [
      { call: "throwSecret", request },
      { logged: { error: { message: "secret of {token}", stack: /src\/(?:plain|threads)\/log\/tool\.ts:\d+:\d+/ } } },
    ],
    except: ({ build }) =>
      hasMaps(build) ? undefined : "with its documented configuration, the bundler writes no source maps",
  },
  "A rejection that nobody handles is logged with its job, and ends nothing": {
    steps: [
      { call: "leaveRejection", request, out: { value: "{token}" } },
      { logged: { error: { message: "left behind by {token}" } } },
    ],
    elsewhere: { createFetchHandler: ofTheApplication, registerMcp: ofTheApplication },
  },
  "A mistake of the caller tells nothing of its cause": {
    steps: [{ call: "throwMistake", out: { failure: { kind: "user-input", message: "A mistake." } } }],
  },
};
