import { expect, test } from "vitest";
import { findJob } from "../../../../cli/platform/ask.ts";

test.each([
  ["", "empty"],
  [".", '"."'],
  ["..", '".."'],
])("an id of a job that would lead to another route is refused, and nothing is asked: %j", async (id, shown) => {
  const ask = (): Promise<Response> => expect.unreachable();
  await expect(findJob(ask, id)).rejects.toThrow(`The id of the job is ${shown}`);
});
