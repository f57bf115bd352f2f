import type { Promises } from "../../promise.ts";

const hello = { call: "sayHello", out: { value: "hello" } } as const;

export const promises: Promises = {
  "`onStart` is called before the first call": {
    steps: [hello, { logged: { text: "onStart was called" }, ofJob: false }],
  },
  "SIGTERM ends a service with code 0, and calls `onStop`": {
    steps: [hello, { stop: "SIGTERM", out: { code: 0, stderr: /onStop was called/ } }],
  },
  "SIGTERM tells a running job by its signal": {
    steps: [
      { call: "runToTheEnd", request: { token: "{token}" }, how: "runs" },
      { stop: "SIGTERM", out: { code: 0, stderr: /onStop was called/ } },
      { heard: { path: "/ended/{token}" } },
    ],
  },
};
