import { expect, test } from "vitest";
import { readJobPage } from "../../../../../../runtime/web/console/client/read-jobs.ts";

test("the beginning of a job's request is read without its secrets", () => {
  const { items } = readJobPage({ items: [{ id: "a", request: '{"user":"Ann","password":"hunter2' }, { id: "b" }] });
  expect(items.map(({ asked }) => asked)).toEqual(['{"user":"Ann","password":"[redacted]"', undefined]);
});
