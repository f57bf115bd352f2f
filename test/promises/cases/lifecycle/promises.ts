import type { Promises } from "../../promise.ts";

const failing = { FAILS: "1", HOST: "127.0.0.1", PORT: "0" };
const failed = {
  code: 1,
  stdout: "",
  stderr: /\nThe service does not start, because its onStart failed: The database does not answer\.\n$/,
};
const hello = { call: "sayHello", out: { value: "hello" } } as const;

export const promises: Promises = {
  "`onStart` is called before the first call": {
    steps: [hello, { logged: { text: "onStart was called" }, ofJob: false }],
  },
  "An `onStart` that fails ends the process with code 1 and says why": {
    steps: [{ run: [], env: failing, out: failed }],
    elsewhere: {
      stdio: [{ run: ["--with-mcp-stdio"], env: failing, out: failed }],
      batch: [
        {
          run: ["--tool", "sayHello"],
          env: { ...failing, SERVE: "startBatchService", PLATFORM_BASE_URL: "http://127.0.0.1:9" },
          out: failed,
        },
      ],
    },
    except: ({ serve }) =>
      ["REST", "stdio", "batch"].includes(serve)
        ? undefined
        : "the process is the same as with REST, or an application of the author, which keeps running and answers 503",
  },
  "SIGTERM ends a service with code 0, and calls `onStop`": {
    steps: [hello, { stop: "SIGTERM", out: { code: 0, stderr: /onStop was called/ } }],
  },
  "SIGTERM tells a running job by its signal": {
    steps: [
      { call: "runToTheEnd", request: { token: "{token}" }, how: "runs" },
      { stop: "SIGTERM", out: { code: 0, stderr: /onStop was called/ } },
      { heard: { path: "/ended/{token}", headers: { "platform-job-id": /^urn:platform:job:/ } } },
    ],
  },
};
