import type { Promises } from "../../promise.ts";

const order = { number: 7, email: "ann@example.org", code: "ABC-1", items: ["tea"], count: 2, by: "post" };
const notInThreads = { thread: "its tools are made by `platformLambda`, without `@thread`" };

export const promises: Promises = {
  "A request that fits its type is taken": {
    steps: [{ call: "takeOrder", request: order, out: { value: "7 by post" } }],
  },
  "All problems of a request are reported at once, each with its path": {
    steps: [
      {
        call: "takeOrder",
        request: { number: -1, email: "ann", code: "abc", items: ["tea", "tea"], count: 11 },
        out: {
          failure: {
            kind: "validation",
            problems: ["/number", "/email", "/code", "/items", "/count", "/by"].map((path) => ({ path })),
          },
        },
      },
    ],
  },
  "A problem says what was expected, and what came": {
    steps: [
      {
        call: "takeOrder",
        request: { ...order, number: 2.5 },
        out: {
          failure: { problems: [{ path: "/number", message: /^Expected integer from 0 to 4294967295, got 2\.5/ }] },
        },
      },
    ],
  },
  "A `ValueError` reaches the caller with its text": {
    steps: [
      {
        call: "refuseNumber",
        request: { n: 4 },
        out: { failure: { kind: "user-input", message: "4 is not wanted." } },
      },
    ],
  },
  "A result that does not fit its type is an error of the service": {
    steps: [{ call: "brokenResult", out: { failure: { kind: "invalid-result" } } }],
  },
  "Keys that the type does not have are left out": {
    steps: [{ call: "countKeys", request: { known: "a", unknown: "b" }, out: { value: 1 } }],
  },
  "`coerce` takes a number in a text": {
    steps: [{ call: "coercedOne", request: { n: "12" }, out: { value: 13 } }],
    elsewhere: notInThreads,
  },
};
