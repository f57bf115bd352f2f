import type { Attack } from "./attack.ts";
import { loadKinds, measureKind, quicker, slowness, type CodecCost } from "./codecs/codec-costs.ts";
import { scalarKinds } from "./codecs/scalar-kinds.ts";
import { structureKinds } from "./codecs/structure-kinds.ts";
import { unionKinds } from "./codecs/union-kinds.ts";

/**
 * Objects of which each has other keys cost V8 itself the time: to make one of them, in `JSON.parse` as in any code, a
 * new shape is made. So no value may cost much more than JSON itself where that is slow.
 */
const mostOfJson = 1.5;
/** Times that a kind over the limit is measured. A machine that does other work is slow at times, code always. */
const tries = 5;

/**
 * Requests and results of one large body of each kind of type, made of the values that cost most for their length. None
 * may keep the process from its other callers for long.
 */
export const attackWithCostlyTypes: Attack = async ({ size, log }) => {
  // The short form of the tests has those whose cost is all ours.
  const kinds = size.bytes < 1_000_000 ? unionKinds : [...scalarKinds, ...structureKinds, ...unionKinds];
  let slow = slowness();
  let slowest = slow;
  const slowKinds: CodecCost[] = [];
  const costs = [...loadKinds(kinds)].map(([kind, tool]) => {
    let cost = measureKind(kind, tool, size.bytes);
    const isOver = (): boolean => longest(cost) > Math.max(slow * size.milliseconds, mostOfJson * cost.json);
    for (let turn = 1; turn < tries && isOver(); turn++) {
      slow = slowness();
      slowest = Math.max(slowest, slow);
      cost = quicker(cost, measureKind(kind, tool, size.bytes));
    }
    if (isOver()) slowKinds.push(cost);
    log(`  ${kind.name}: ${texts(cost).join(", ")}`);
    return cost;
  });
  const long = costs.filter((cost) => longest(cost) > size.milliseconds);
  const ratio = Math.max(0, ...long.map((cost) => longest(cost) / cost.json));
  const worst = (key: "read" | "write" | "refuse"): string => {
    const [first] = costs.toSorted((one, other) => other[key] - one[key]);
    return first === undefined ? "nothing" : `${Math.round(first[key])} ms (${first.name})`;
  };
  const rows = costs.map((cost) => `| ${[cost.name, ...texts(cost)].join(" | ")} |`);
  return {
    attack: "Values that cost most to read and write, of every kind of type",
    inputs: `${kinds.length} kinds, ${size.bytes / 1_000_000} MB of each, processor time for a megabyte${slowest > 1.1 ? `, up to ${slowest.toFixed(1)} times slower by other work` : ""}`,
    result: `to read at most ${worst("read")}, to write ${worst("write")}, to refuse ${worst("refuse")}${long.length === 0 ? "" : `; over ${size.milliseconds} ms at most ${ratio.toFixed(1)} times what JSON itself takes`}`,
    peers: [],
    breaches: slowKinds.map((cost) => `${cost.name} blocks for ${texts(cost).join(", ")} ms per MB`),
    details: [
      "| Milliseconds for a megabyte of | to read | to write | to refuse | `JSON.parse` and `JSON.stringify` |",
      "|---|---|---|---|---|",
      ...rows,
    ].join("\n"),
  };
};

function longest({ read, write, refuse }: CodecCost): number {
  return Math.max(read, write, refuse);
}

function texts({ read, write, refuse, json }: CodecCost): readonly string[] {
  return [read, write, refuse, json].map((time) => (time < 1 ? "< 1" : time.toFixed(0)));
}
