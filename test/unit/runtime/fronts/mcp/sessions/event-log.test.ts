import { expect, onTestFinished, test, vi } from "vitest";
import { EventLog } from "../../../../../../runtime/fronts/mcp/sessions/event-log.ts";

test("messages of a stream after an id, of this session only", () => {
  const log = new EventLog(10_000);
  const own = log.of("a");
  const other = log.of("b");
  const first = own.store("s", { n: 1 });
  own.store("t", { n: 2 });
  const third = own.store("s", { n: 3 });
  const foreign = other.store("s", { n: 4 });
  expect(own.after(first)).toEqual([[third, { n: 3 }]]);
  expect(own.after(third)).toEqual([]);
  expect([own.after(foreign), own.after("9"), own.after("__proto__"), own.after("-1")]).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
  expect([own.streamOf(first), own.streamOf(foreign)]).toEqual(["s", undefined]);
});

test("the oldest messages go when there are too many bytes, and all of a session at its end", () => {
  const log = new EventLog(900);
  const own = log.of("a");
  const ids = Array.from({ length: 10 }, (_, n) => own.store("s", { text: "0123456789", n }));
  expect(own.after(ids[0] ?? "")).toBeUndefined();
  expect(own.after(ids[8] ?? "")?.map(([id]) => id)).toEqual([ids[9]]);
  own.clear();
  expect(own.after(ids[8] ?? "")).toBeUndefined();
  const later = log.of("b");
  const kept = later.store("s", { text: "0123456789", n: 1 });
  expect(later.after(kept)).toEqual([]);
});

test("a short message counts for the memory that it takes", () => {
  const own = new EventLog(10_000).of("a");
  const ids = Array.from({ length: 100 }, (_, id) => own.store("s", { jsonrpc: "2.0", id, result: {} }));
  expect(own.after(ids[50] ?? "")).toBeUndefined();
  expect(own.after(ids[80] ?? "")).toHaveLength(19);
});

test("a stored message looks up few others, however many the log has", () => {
  const log = new EventLog(250_000);
  const own = log.of("a");
  const has = vi.spyOn(Map.prototype, "has");
  const keys = vi.spyOn(Map.prototype, "keys");
  onTestFinished(() => void vi.restoreAllMocks());
  const ids = Array.from({ length: 1000 }, (_, n) => own.store("s", { n }));
  const [looked, walked] = [has.mock.calls.length, keys.mock.calls.length];
  expect(looked).toBeLessThan(4 * ids.length);
  expect(walked).toBe(0);
  expect(own.after(ids[800] ?? "")?.length).toBe(199);
  expect(own.after(ids[0] ?? "")).toBeUndefined();
});

test("messages are kept as text: an object may take 20 times as much memory", () => {
  const own = new EventLog(10_000).of("a");
  const message = { result: { text: "€" } };
  const first = own.store("s", {});
  const second = own.store("s", message);
  message.result.text = "changed";
  expect(own.after(first)).toEqual([[second, { result: { text: "€" } }]]);
  // Letters beyond ASCII count for their bytes.
  own.store("s", { text: "€".repeat(3100) });
  expect(own.after(first)).toBeUndefined();
});
