import type { Promises } from "../../promise.ts";

const start = "urn:platform:schema:service.event.step.start.1";
const finish = "urn:platform:schema:service.event.step.finish.1";

export const promises: Promises = {
  "Steps are reported in order, with their fields": {
    steps: [
      {
        call: "reportSteps",
        out: {
          value: "done",
          events: [
            { $schema: start, name: "outer", options: { message: "Begins" }, sequence: 1 },
            { name: "outer", options: { progress: 50, message: "Half" }, sequence: 2 },
            { $schema: start, name: "inner" },
            { $schema: finish, name: "inner" },
            { $schema: finish, name: "outer" },
            { $schema: start, name: "block" },
            { $schema: finish, name: "block" },
          ],
        },
      },
    ],
  },
  "A stream of events goes on behind `Last-Event-ID`": {
    steps: [
      { call: "failStep", out: { failure: { kind: "user-input" } } },
      {
        get: "/jobs/{job}/events",
        headers: { "last-event-id": "1" },
        out: { status: 200, type: /event-stream/, body: /^(?!.*step\.start\.1)(?:.*\n)?id: 0*2\n.*step\.error\.1/s },
      },
    ],
    except: ({ serve }) =>
      serve === "REST" || serve === "createFetchHandler" ? undefined : "a route of REST, tried only with REST",
  },
  "A step that an error ends is reported as failed": {
    steps: [
      {
        call: "failStep",
        out: {
          failure: { kind: "user-input", message: "The step failed." },
          events: [{ $schema: start, name: "fails" }, { $schema: "urn:platform:schema:service.event.step.error.1" }],
        },
      },
    ],
  },
  "Events of own classes have their URN and their fields": {
    steps: [
      {
        call: "reportOwn",
        out: { value: 2, events: [{ $schema: "urn:example:event.measured.1", degrees: 21 }, { name: "note" }] },
      },
    ],
  },
  "An event that JSON cannot hold fails no job": {
    steps: [{ call: "reportOdd", out: { value: null, events: [{ name: "odd" }] } }],
  },
};
