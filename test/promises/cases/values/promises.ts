import type { Promises } from "../../promise.ts";

const request = {
  at: "2026-11-23T10:00:00.000Z",
  big: "123456789012345678901234567890",
  bytes: "AAECAw==",
  link: "https://example.org/a",
  names: ["b", "a"],
  counts: { one: 1, two: 2 },
};
const branch = { name: "branch", branches: [{ name: "leaf" }, { name: "leaf" }] };

export const promises: Promises = {
  "`Date`, `bigint`, bytes, `URL`, `Set` and `Map` are real objects in the tool, and go back": {
    steps: [
      {
        call: "changeValues",
        request,
        out: {
          value: {
            at: "2026-11-23T10:00:01.000Z",
            big: "123456789012345678901234567891",
            bytes: "AwIBAA==",
            link: "https://example.org/b",
            names: ["a", "b"],
            counts: { one: 2, two: 3 },
          },
        },
      },
    ],
  },
  "A type may contain itself": {
    steps: [{ call: "countTree", request: { name: "root", branches: [branch, branch] }, out: { value: 7 } }],
  },
  "Null, a missing value and a default are three things": {
    steps: [
      { call: "missingValues", request: { text: null }, out: { value: [null, null, "given"] } },
      { call: "missingValues", request: { text: "", more: 0, rest: "" }, out: { value: ["", 0, ""] } },
    ],
  },
  "A member of a union is chosen by its discriminator": {
    steps: [
      { call: "areaOf", request: { shape: { kind: "circle", radius: 2 } }, out: { value: 12 } },
      { call: "areaOf", request: { shape: { kind: "square", side: 2 } }, out: { value: 4 } },
      {
        call: "areaOf",
        request: { shape: { kind: "square", radius: 2 } },
        out: { failure: { kind: "validation", problems: [{ path: "/shape/side" }] } },
      },
    ],
  },
};
