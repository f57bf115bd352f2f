import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createChance } from "../chaos/chance.ts";
import type { Mutation } from "./mutation.ts";
import { mutationsOf } from "./mutations.ts";
import { filesOf, type MutatedRoom } from "./rooms.ts";

/** All mutations of a room, in an order that the seed chooses: a sample is how far one gets. */
export function shuffledMutations(root: string, room: MutatedRoom, seed: number): readonly Mutation[] {
  const chance = createChance(seed);
  const waiting = filesOf(root, room).flatMap((file) => mutationsOf(file, readFileSync(join(root, file), "utf8")));
  for (let last = waiting.length - 1; last > 0; last--) {
    const other = chance.below(last + 1);
    const [one, two] = [waiting[last], waiting[other]];
    if (one !== undefined && two !== undefined) [waiting[last], waiting[other]] = [two, one];
  }
  return waiting;
}
