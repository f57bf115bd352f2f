import { expect, test } from "vitest";
import { shownOf } from "../../../../../../runtime/web/console/call/shown-rows.ts";
import type { Step } from "../../../../../../runtime/web/console/call/steps.ts";

test("150 requests hide neither the attempt nor its steps; of requests the latest are shown", () => {
  const row = (name: string, kind?: "attempt" | "request"): Step => ({
    name,
    depth: 0,
    from: 0,
    state: "done",
    message: undefined,
    ...(kind && { kind }),
  });
  const requests = Array.from({ length: 150 }, (_, index) => row(`GET /${index}`, "request"));
  const rows = [row("Attempt 1", "attempt"), row("look"), ...requests, row("end")];
  const names = rows.filter((one) => shownOf(rows, 100).has(one)).map(({ name }) => name);
  expect(names).toHaveLength(100);
  expect([names.slice(0, 3), names.slice(-2)]).toEqual([
    ["Attempt 1", "look", "GET /53"],
    ["GET /149", "end"],
  ]);
});
