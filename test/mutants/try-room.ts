import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckTypes } from "./check-types.ts";
import type { Journal, Verdict } from "./journal.ts";
import { mutated, type Mutation } from "./mutation.ts";
import type { NearTests } from "./near-tests.ts";
import type { ProjectCopy } from "./project-copy.ts";
import type { MutatedRoom } from "./rooms.ts";
import { runTests, type TestRun } from "./run-tests.ts";
import { shuffledMutations } from "./sample.ts";

/** Everything that the trials of a room need. */
export interface Workshop {
  readonly project: string;
  readonly copy: ProjectCopy;
  readonly near: NearTests;
  readonly check: CheckTypes;
  readonly journal: Journal;
  readonly equivalent: (mutation: Mutation) => string | undefined;
  /** True where survivors of earlier runs are tried again. */
  readonly again: boolean;
  /** True where nothing is tried: a sample ends at the first mutation that no earlier run has tried. */
  readonly isKnown: boolean;
  readonly log: (text: string) => void;
}

/** The outcomes of a room's sample. */
export interface RoomOutcome {
  readonly room: MutatedRoom;
  /** Number of mutations that the rules make of the room. */
  readonly all: number;
  readonly trials: readonly { readonly mutation: Mutation; readonly verdict: Verdict }[];
}

/** Unit tests of other rooms beyond so many imports say little about a file, and take long. */
const farthest = 2;
const most = 12;

/**
 * Tries mutations of a room until `size` of them were noticed or survived. Throws when the tests fail without a
 * mutation.
 */
export async function tryRoom(shop: Workshop, room: MutatedRoom, size: number, seed: number): Promise<RoomOutcome> {
  const mutations = shuffledMutations(shop.project, room, seed);
  const trials: { mutation: Mutation; verdict: Verdict }[] = [];
  let counted = 0;
  let isChecked = false;
  for (const mutation of mutations) {
    if (counted >= size) break;
    const code = readFileSync(join(shop.project, mutation.file), "utf8");
    const known = knownVerdict(shop, mutation, code);
    if (known === undefined && shop.isKnown) break;
    const verdict = known ?? (await tryNow());
    trials.push({ mutation, verdict });
    if (verdict.outcome === "noticed" || verdict.outcome === "survived") counted++;
    async function tryNow(): Promise<Verdict> {
      if (!isChecked) await checkTests(shop, room, mutations);
      isChecked = true;
      const now = await tryMutation(shop, room, mutation, code);
      shop.journal.add(mutation, code, now);
      shop.log(`${room.name} ${counted + 1}/${size} ${now.outcome} ${mutation.file}:${mutation.line}`);
      return now;
    }
  }
  return { room, all: mutations.length, trials };
}

/** A verdict that needs no test. */
function knownVerdict(shop: Workshop, mutation: Mutation, code: string): Verdict | undefined {
  const reason = shop.equivalent(mutation);
  if (reason !== undefined) return { outcome: "equivalent", reason };
  const known = shop.journal.find(mutation, code);
  if (known?.outcome === "equivalent" || (known?.outcome === "survived" && shop.again)) return undefined;
  if (known !== undefined) return known;
  const error = shop.check(mutation.file, mutated(code, mutation));
  if (error === undefined) return undefined;
  shop.journal.add(mutation, code, { outcome: "refused" });
  return { outcome: "refused" };
}

async function tryMutation(
  { copy, near }: Workshop,
  room: MutatedRoom,
  mutation: Mutation,
  code: string,
): Promise<Verdict> {
  copy.write(mutation.file, mutated(code, mutation));
  try {
    const units = unitsOf(near, room, mutation.file);
    const inside: TestRun = units.length === 0 ? { passed: true } : await runTests(copy.root, "units", units);
    if (!inside.passed) return { outcome: "noticed", by: inside.by };
    const outside = await runTests(copy.root, "sources", room.outside);
    return outside.passed ? { outcome: "survived" } : { outcome: "noticed", by: outside.by };
  } finally {
    copy.restore(mutation.file);
  }
}

/** The unit tests that are tried first. */
function unitsOf(near: NearTests, room: MutatedRoom, file: string): readonly string[] {
  return near
    .of(file)
    .filter(({ test, distance }) => distance <= farthest || test.startsWith(`test/unit/${room.folder}/`))
    .slice(0, most)
    .map(({ test }) => test);
}

/** Throws when tests of the room fail as it is: each mutation would be noticed. */
async function checkTests({ copy, near }: Workshop, room: MutatedRoom, mutations: readonly Mutation[]): Promise<void> {
  const units = [...new Set(mutations.flatMap(({ file }) => unitsOf(near, room, file)))];
  const runs = [
    ...(units.length === 0 ? [] : [await runTests(copy.root, "units", units)]),
    await runTests(copy.root, "sources", room.outside),
  ];
  for (const run of runs) if (!run.passed) throw new Error(`${room.name}: fails without a mutation: ${run.by}`);
}
