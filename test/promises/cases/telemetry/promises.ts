import type { Promises } from "../../promise.ts";

const traceparent = "00-{trace}-00f067aa0ba902b7-01";
const call = { call: "makeSpans", traceparent, out: { value: "{trace}" } } as const;

export const promises: Promises = {
  "A job's span arrives at a collector over http/protobuf, in the caller's trace": {
    setting: "open",
    steps: [
      call,
      { span: { name: "platform.job", attributes: { "platform.tool": /^makeSpans/, "platform.ok": true } } },
    ],
  },
  "A job's span arrives at a collector over http/json": {
    setting: "guarded",
    steps: [call, { span: { name: "platform.job", attributes: { "platform.tool": /^makeSpans/ } } }],
  },
  "A step is a span below the job's": {
    steps: [call, { span: { name: "platform.event:load", attributes: { "platform.event_name": "load" } } }],
  },
  "An author's span is exported with the job's": {
    steps: [call, { span: { name: "own span" } }],
  },
  "An outbound request is a span": {
    steps: [call, { span: { name: "GET", attributes: { "http.request.method": "GET" } } }],
  },
};
