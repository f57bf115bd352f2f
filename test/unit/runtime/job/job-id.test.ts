import { expect, test } from "vitest";
import { newJobUrn } from "../../../../runtime/job/job-id.ts";

test("ids are UUIDv7: their time, and 74 bits that nobody can guess", () => {
  const many = 100_000;
  const now = 0x0199_9999_9999;
  const ids = Array.from({ length: many }, () => newJobUrn(now).slice("urn:platform:job:".length));
  expect(new Set(ids).size).toBe(many);
  expect(ids.filter((id) => !/^01999999-9999-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual([]);
  // Every random digit takes every value about as often; the one with the variant has four, and may be less even.
  for (const at of [15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35]) {
    const counts = new Map<string, number>();
    for (const id of ids) counts.set(id[at] ?? "", (counts.get(id[at] ?? "") ?? 0) + 1);
    const [values, tolerance] = at === 19 ? [4, 0.3] : [16, 0.1];
    const far = [...counts.values()].filter((count) => Math.abs(count / (many / values) - 1) > tolerance);
    expect([at, counts.size, far]).toEqual([at, values, []]);
  }
  // One id tells nothing of the next: it is as often smaller as greater.
  const ascending = ids.filter((id, index) => id > (ids[index - 1] ?? "")).length / many;
  expect(Math.abs(ascending - 0.5)).toBeLessThan(0.02);
  const before = Date.now();
  const [high = "", low = ""] = newJobUrn().slice("urn:platform:job:".length).split("-");
  const made = Number.parseInt(high + low, 16);
  expect([made >= before, made <= Date.now()]).toEqual([true, true]);
});
