import { expect, test } from "vitest";
import { getLogger, logLines } from "../../../../../playground/frame/node/logging.ts";

test("lines with fields that a worker cannot post are told", () => {
  getLogger("visits")
    .child({ id: 1n })
    .info({ run() {}, when: new Date(0) }, "hello");
  expect(structuredClone(logLines())).toMatchObject([
    { name: "visits", message: "hello", fields: { id: "1", when: "1970-01-01T00:00:00.000Z" } },
  ]);
});
