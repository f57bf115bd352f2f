import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { expect, test } from "vitest";
import { atMost, Surplus } from "../../../../../cli/local-platform/stored/at-most.ts";

test("what comes behind a surplus is read and dropped, so that the next request on its connection is not stuck", async () => {
  const sent = new PassThrough();
  for (let n = 0; n < 100; n++) sent.write(Buffer.alloc(100_000));
  await expect(buffer(atMost(sent, 10))).rejects.toThrow(Surplus);
  sent.end();
  await finished(sent);
});
