import fc from "fast-check";
import { expect, test } from "vitest";
import { AnswerRing } from "../../../../../../runtime/executor/store/memory/answer-ring.ts";

function ringOf(maxEntries: number, maxBytes?: number): { ring: AnswerRing; clock: { now: number } } {
  const clock = { now: 0 };
  const ring = new AnswerRing({ maxEntries, now: () => clock.now, ...(maxBytes !== undefined && { maxBytes }) });
  return { ring, clock };
}

test("parts come back as one, any number of times", () => {
  const { ring } = ringOf(3);
  ring.put("kéy", [Buffer.from("a"), new Uint8Array(), Buffer.from("bc")], 10);
  expect([ring.get("kéy")?.toString(), ring.get("kéy")?.toString(), ring.get("key")]).toEqual([
    "abc",
    "abc",
    undefined,
  ]);
});

test("the oldest goes first, by count and by bytes", () => {
  const { ring } = ringOf(2);
  for (const key of ["a", "b", "c"]) ring.put(key, [Buffer.from(key)], 10);
  expect(["a", "b", "c"].map((key) => ring.get(key)?.toString())).toEqual([undefined, "b", "c"]);
  const small = ringOf(100, 100).ring;
  for (const key of ["a", "b", "c"]) small.put(key, [Buffer.alloc(40, key)], 10);
  expect(["a", "b", "c"].map((key) => small.get(key)?.length)).toEqual([undefined, 40, 40]);
  small.put("huge", [Buffer.alloc(101)], 10);
  expect([small.get("huge"), small.get("c")?.length]).toEqual([undefined, 40]);
});

test("an entry ends with its time, whatever stands before it", () => {
  const { ring, clock } = ringOf(5);
  ring.put("long", [Buffer.from("1")], 100);
  ring.put("short", [Buffer.from("2")], 10);
  clock.now = 10;
  expect([ring.get("long")?.toString(), ring.get("short"), ring.size]).toEqual(["1", undefined, 2]);
  clock.now = 100;
  ring.dropExpired();
  expect(ring.size).toBe(0);
});

test("a key that comes again when its entry has expired stays when that entry is dropped", () => {
  const { ring, clock } = ringOf(3);
  ring.put("long", [Buffer.from("1")], 100);
  ring.put("short", [Buffer.from("2")], 10);
  clock.now = 10;
  ring.put("short", [Buffer.from("3")], 1000);
  expect([ring.get("short")?.toString(), ring.size]).toEqual(["3", 2]);
  clock.now = 100;
  ring.dropExpired();
  expect([ring.get("long"), ring.get("short")?.toString(), ring.size]).toEqual([undefined, "3", 1]);
});

test("what it gives is a copy", () => {
  const { ring } = ringOf(1);
  ring.put("a", [Buffer.from("x")], 10);
  ring.get("a")?.fill(0);
  expect(ring.get("a")?.toString()).toBe("x");
});

test("it keeps nothing when it has no room", () => {
  const { ring } = ringOf(0);
  ring.put("a", [Buffer.from("x")], 10);
  expect(ring.get("a")).toBe(undefined);
});

test("it behaves like a list with a limit, for any sequence of writes", () => {
  const write = fc.record({
    size: fc.oneof(fc.nat(50), fc.nat(50), fc.nat(3_000_000)),
    ttl: fc.integer({ min: 1, max: 30 }),
    step: fc.nat(5),
  });
  const result = fc.check(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(write, { maxLength: 40 }), (maxEntries, writes) => {
      const { ring, clock } = ringOf(maxEntries, 6_000_000);
      let model: { key: string; size: number; until: number }[] = [];
      for (const [index, { size, ttl, step }] of writes.entries()) {
        clock.now += step;
        const key = `job-${index}`;
        ring.put(key, [Buffer.alloc(size, index)], ttl);
        while (model.length > 0 && (model[0]?.until ?? 0) <= clock.now) model = model.slice(1);
        const bytes = (): number =>
          model.reduce((sum, entry) => sum + entry.key.length + entry.size, 0) + key.length + size;
        while (model.length >= maxEntries || bytes() > 6_000_000) model = model.slice(1);
        model.push({ key, size, until: clock.now + ttl });
        for (let seen = 0; seen <= index; seen++) {
          const known = model.find((entry) => entry.key === `job-${seen}`);
          const value = ring.get(`job-${seen}`);
          const expected = known !== undefined && known.until > clock.now ? known.size : undefined;
          if (value?.length !== expected || (value !== undefined && !value.equals(Buffer.alloc(value.length, seen))))
            return false;
        }
      }
      return true;
    }),
    { numRuns: 40 },
  );
  expect(result.counterexample).toBe(null);
});
