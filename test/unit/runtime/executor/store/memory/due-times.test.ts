import { expect, test } from "vitest";
import { DueTimes } from "../../../../../../runtime/executor/store/memory/due-times.ts";
import { randomFrom } from "../random-from.ts";

test("returns what is due, in the order of its times, once", () => {
  const times = new DueTimes<string>();
  expect([times.next, [...times.due(Infinity)], times.of("a")]).toEqual([Infinity, [], undefined]);
  times.set("late", 30);
  times.set("b", 10);
  times.set("a", 10);
  times.set("never", Infinity);
  expect([times.next, times.of("late"), [...times.due(9)]]).toEqual([10, 30, []]);
  expect([...times.due(29)]).toEqual(["b", "a"]);
  times.set("late", 5);
  times.delete("unknown");
  expect([times.next, [...times.values]]).toEqual([5, ["never", "late"]]);
  // Times that were not taken stay.
  times.set("last", 6);
  for (const first of times.due(10)) {
    expect(first).toBe("late");
    break;
  }
  expect([...times.due(10)]).toEqual(["last"]);
});

test("answers as a sorted list does, after any changes", () => {
  const next = randomFrom(20_261_128);
  const times = new DueTimes<number>();
  const list = new Map<number, number>();
  const [answers, expected]: [unknown[], unknown[]] = [[], []];
  for (let turn = 0; turn < 5000; turn++) {
    const value = Math.floor(next() * 60);
    const at = Math.floor(next() * 1000);
    if (next() < 0.6) {
      times.set(value, at);
      list.set(value, at);
    } else if (next() < 0.7) {
      times.delete(value);
      list.delete(value);
    } else {
      const due = [...list].filter(([, time]) => time <= at / 20).map(([one]) => one);
      answers.push([...times.due(at / 20)].toSorted((a, b) => a - b));
      expected.push(due.toSorted((a, b) => a - b));
      for (const one of due) list.delete(one);
    }
    answers.push(times.next);
    expected.push(Math.min(Infinity, ...list.values()));
  }
  expect(answers).toEqual(expected);
});
