import type { Promises } from "../../promise.ts";

const request = { mark: "{token}" };
const traceparent = "00-{trace}-00f067aa0ba902b7-01";
const sent = (manner: string): Promises[string] => ({
  steps: [
    { call: "sendRequests", request, traceparent, out: { value: /^urn:platform:job:/ } },
    {
      heard: {
        path: `/${manner}/{token}`,
        headers: { "platform-job-id": "{job}", traceparent: /^00-{trace}-[0-9a-f]{16}-01$/, authorization: undefined },
      },
    },
  ],
});

export const promises: Promises = {
  "A request by `fetch` has the id of its job and the caller's trace, and no token for a foreign host": sent("fetch"),
  "A request by `node:http` has them, too": sent("http"),
  "A request by an imported `node:http` has them, too": sent("imported"),
  "A request of a timer has the id of the job that set it": {
    steps: [
      { call: "sendLater", request, out: { value: "{token}" } },
      { heard: { path: "/later/{token}", headers: { "platform-job-id": "{job}" } } },
    ],
  },
};
