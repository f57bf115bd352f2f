import type { Attack } from "./attack.ts";
import { loadKinds, measureKind, slowness } from "./codecs/codec-costs.ts";
import type { CodecCost } from "./codecs/codec-costs.ts";
import { scalarKinds } from "./codecs/scalar-kinds.ts";
import { structureKinds } from "./codecs/structure-kinds.ts";
import { unionKinds } from "./codecs/union-kinds.ts";

/** Objects of which each has other keys are slow in `JSON.parse` itself, and no code of ours can be quicker. */
const mostParses = 1.5;

/**
 * Requests and results of one large body of each kind of type, made of the values that cost most for their length. None
 * may keep the process from its other callers for long.
 */
export const attackWithCostlyTypes: Attack = async ({ size, log }) => {
  const kinds = [...scalarKinds, ...structureKinds, ...unionKinds];
  const before = slowness();
  const costs = [...loadKinds(kinds)].map(([kind, tool]) => {
    const cost = measureKind(kind, tool, size.bytes);
    log(`  ${kind.name}: ${texts(cost).join(", ")}`);
    return cost;
  });
  const slow = Math.max(before, slowness());
  const worst = (key: "read" | "write" | "refuse"): string => {
    const [first] = costs.toSorted((one, other) => other[key] - one[key]);
    return first === undefined ? "nothing" : `${Math.round(first[key])} ms (${first.name})`;
  };
  const rows = costs.map((cost) => `| ${[cost.name, ...texts(cost)].join(" | ")} |`);
  return {
    attack: "Values that cost most to read and write, of every kind of type",
    inputs: `${kinds.length} kinds, ${size.bytes / 1_000_000} MB of each, processor time for a megabyte${slow > 1.1 ? `, ${slow.toFixed(1)} times slower by other work` : ""}`,
    result: `to read at most ${worst("read")}, to write ${worst("write")}, to refuse ${worst("refuse")}`,
    peers: [],
    breaches: costs
      .filter(
        ({ read, write, refuse, parse }) =>
          Math.max(read, write, refuse) > Math.max(slow * size.milliseconds, mostParses * parse),
      )
      .map((cost) => `${cost.name} blocks for ${texts(cost).join(", ")} ms per MB`),
    details: [
      "| Milliseconds for a megabyte of | to read | to write | to refuse | `JSON.parse` alone |",
      "|---|---|---|---|---|",
      ...rows,
    ].join("\n"),
  };
};

function texts({ read, write, refuse, parse }: CodecCost): readonly string[] {
  return [read, write, refuse, parse].map((time) => (time < 1 ? "< 1" : time.toFixed(0)));
}
