import { expect, test } from "vitest";
import type { LiveJob } from "../../../../../../runtime/executor/store/memory/live-job.ts";
import { Turns, type Turn } from "../../../../../../runtime/executor/store/memory/turns.ts";
import { randomFrom } from "../random-from.ts";

let reads = 0;

/** A turn that counts how often it is compared. */
function turnOf(position: number, arrival: number): Turn {
  const live = { seq: arrival } as LiveJob;
  return {
    live,
    get position() {
      reads++;
      return position;
    },
    arrival,
  };
}

test("are sorted by position and arrival, after any changes", () => {
  const next = randomFrom(20_261_128);
  const turns = new Turns();
  let list: Turn[] = [];
  const [answers, orders]: [unknown[], [unknown, unknown][]] = [[], []];
  for (let n = 0; n < 3000; n++) {
    const some = list[Math.floor(next() * list.length * next())];
    if (some !== undefined && next() < 0.5 - (n % 1000 < 500 ? 0.2 : 0)) {
      turns.delete(some);
      turns.delete(some);
      list = list.filter((one) => one !== some);
    } else {
      const turn = turnOf(next() < 0.5 ? Infinity : Math.floor(next() * 20), n);
      turns.add(turn);
      list = [...list, turn].toSorted((a, b) =>
        a.position === b.position ? a.arrival - b.arrival : a.position - b.position,
      );
    }
    const index = Math.floor(next() * list.length);
    const before = list.slice(index, index + 1).map((one) => turns.before(one) - index);
    answers.push([turns.size - list.length, turns.first === list[0]?.live, before.every((more) => more === 0)]);
    if (n % 100 === 0) orders.push([[...turns], list.map(({ live }) => live)]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(["[0,true,true]"]));
  for (const [found, expected] of orders) expect(found).toEqual(expected);
});

test("compare a job with few others when it joins or leaves", () => {
  const turns = new Turns();
  const all = Array.from({ length: 10_000 }, (_, n) => turnOf(n % 7, n));
  for (const turn of all) turns.add(turn);
  reads = 0;
  const late = turnOf(3.5, 0);
  turns.add(late);
  expect(turns.before(late)).toBe(all.filter(({ arrival }) => arrival % 7 <= 3).length);
  turns.delete(late);
  expect(reads).toBeLessThan(200);
});
