import type { Promises } from "../../promise.ts";

const request = { token: "{token}" };
const stopped = { heard: { path: "/stopped/{token}" } };
const noKeys = "callers over MCP and the platform have no idempotency keys";

export const promises: Promises = {
  "A caller that does not wait gets 202, and the result from where it says": {
    steps: [{ call: "takeMoment", request: { text: "later" }, how: "later", out: { value: "later" } }],
  },
  "A job that its caller cancels has its signal aborted": {
    steps: [{ call: "runUntilStopped", request, how: "cancels", out: { failure: { kind: "cancelled" } } }, stopped],
  },
  "A job whose caller leaves has its signal aborted": {
    steps: [{ call: "runUntilStopped", request, how: "leaves" }, stopped],
    elsewhere: { batch: "the platform is the caller of a batch worker, and does not disconnect" },
  },
  "A request from an abort listener has the id of its job": {
    steps: [
      { call: "runUntilStopped", request, how: "cancels" },
      { heard: { path: "/stopped/{token}", headers: { "platform-job-id": /^urn:platform:job:/ } } },
    ],
  },
  "A line from an abort listener has the id of its job": {
    steps: [
      { call: "runUntilStopped", request, how: "cancels" },
      { logged: { mark: "{token}", job_id: /^urn:platform:job:/, own: /^urn:platform:job:/ }, ofJob: false },
    ],
  },
  "Calls with one idempotency key are one job": {
    steps: [
      { call: "countCalls", request, key: "{token}", out: { value: { token: "{token}" } } },
      { call: "countCalls", request, key: "{token}", out: { value: { token: "{token}" } } },
    ],
    except: ({ serve }) => (["REST", "createFetchHandler", "thread"].includes(serve) ? undefined : noKeys),
  },
  "An idempotency key of another request is refused": {
    steps: [
      { call: "takeMoment", request: { text: "one" }, key: "{token}", out: { value: "one" } },
      {
        call: "takeMoment",
        request: { text: "two" },
        key: "{token}",
        out: { failure: { kind: "idempotency-conflict" }, status: 422 },
      },
    ],
    except: ({ serve }) => (["REST", "createFetchHandler", "thread"].includes(serve) ? undefined : noKeys),
  },
  "A job has one id, also in what runs later": {
    steps: [{ call: "ownId", out: { value: [/^urn:platform:job:/, /^urn:platform:job:/, /^urn:platform:job:/] } }],
  },
  "A job above its limit is refused, and one of another key is not": {
    steps: [
      { call: "runAlone", request: { word: "{token}", token: "{token}" }, how: "runs" },
      {
        call: "runAlone",
        request: { word: "{token}", token: "{token}" },
        out: { failure: { kind: "too-many-requests" } },
      },
      { call: "runAlone", request: { word: "{token}, again", token: "{token}" }, how: "cancels" },
      // A job that goes on would keep one of two threads.
      { call: "endAlone", request: { word: "{token}" }, out: { value: "{token}" } },
    ],
    elsewhere: { batch: "the platform applies the limits of batch workers, and answers calls beyond them itself" },
  },
  "A job beyond its rate is refused, and one of another key is not": {
    steps: [
      { call: "runRarely", request: { word: "{token}" }, out: { value: "{token}" } },
      { call: "runRarely", request: { word: "{token}" }, out: { failure: { kind: "too-many-requests" } } },
      { call: "runRarely", request: { word: "{token}, again" }, out: { value: "{token}, again" } },
    ],
    elsewhere: { batch: "the platform applies the rates of batch workers, and answers calls beyond them itself" },
  },
  "A job beyond its rate waits, and starts at its time": {
    steps: [
      { call: "runSlowly", request: { word: "{token}" }, out: { value: "{token}" } },
      { call: "runSlowly", request: { word: "{token}" }, out: { value: "{token}" } },
    ],
    elsewhere: { batch: "the platform applies the rates of batch workers, and answers calls beyond them itself" },
  },
  "A job with a head start runs as any other": {
    steps: [
      { call: "runSoon", request: { word: "{token}", urgent: true }, out: { value: "{token}, urgent" } },
      { call: "runSoon", request: { word: "{token}" }, out: { value: "{token}" } },
    ],
  },
  "A debounced job runs, once no other request has come": {
    steps: [
      { call: "runLast", request: { word: "{token}", text: "first" }, out: { value: "first" } },
      { call: "runLast", request: { word: "{token}", text: "second" }, out: { value: "second" } },
    ],
    elsewhere: { batch: "the platform delays the debounced jobs of batch workers, and answers their calls itself" },
  },
  "`@timeout` ends a job": {
    steps: [{ call: "takeTooLong", out: { failure: { kind: "timeout" } } }],
  },
};
