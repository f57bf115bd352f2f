import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CheckTypes } from "./check-types.ts";
import type { Journal, Trial, Verdict } from "./journal.ts";
import { mutated, type Mutation } from "./mutation.ts";
import type { NearTests } from "./near-tests.ts";
import type { ProjectCopy } from "./project-copy.ts";
import type { MutatedRoom } from "./rooms.ts";
import { runTests, type TestLimits, type TestProject } from "./run-tests.ts";
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
/** Number of tests that are tried before those that send requests; the room's other unit tests come last. */
const nearest = 12;
/** Least milliseconds that a test may take: the machine may be busy with other work. */
const shortestLimit = 12_000;
/** Least milliseconds that a run of tests may take. */
const shortestRun = 240_000;

/**
 * Tries mutations of a room until `size` of them were noticed or survived. Throws when the tests fail without a
 * mutation.
 */
export async function tryRoom(shop: Workshop, room: MutatedRoom, size: number, seed: number): Promise<RoomOutcome> {
  const mutations = shuffledMutations(shop.project, room, seed);
  const trials: { mutation: Mutation; verdict: Verdict }[] = [];
  let counted = 0;
  let limits: TestLimits | undefined;
  for (const mutation of mutations) {
    if (counted >= size) break;
    const code = readFileSync(join(shop.project, mutation.file), "utf8");
    const trial = { mutation, code, tests: roundsOf(shop.near, room, mutation.file).flatMap(({ files }) => files) };
    const known = knownVerdict(shop, trial);
    if (known === undefined && shop.isKnown) break;
    const verdict = known ?? (await tryNow());
    trials.push({ mutation, verdict });
    if (verdict.outcome === "noticed" || verdict.outcome === "survived") counted++;
    async function tryNow(): Promise<Verdict> {
      limits ??= await checkTests(shop, room, mutations.slice(0, 2 * size));
      const now = await tryMutation(shop, room, mutation, code, limits);
      shop.journal.add(trial, now);
      shop.log(`${room.name} ${counted + 1}/${size} ${now.outcome} ${mutation.file}:${mutation.line}`);
      return now;
    }
  }
  return { room, all: mutations.length, trials };
}

/** A verdict that needs no test. */
function knownVerdict(shop: Workshop, trial: Trial): Verdict | undefined {
  const { mutation, code } = trial;
  const reason = shop.equivalent(mutation);
  if (reason !== undefined) return { outcome: "equivalent", reason };
  const known = shop.journal.find(trial);
  if (known?.outcome === "equivalent" || (known?.outcome === "survived" && shop.again)) return undefined;
  if (known !== undefined) return known;
  const error = shop.check(mutation.file, mutated(code, mutation));
  if (error === undefined) return undefined;
  shop.journal.add(trial, { outcome: "refused" });
  return { outcome: "refused" };
}

/** Tests that are run together. */
interface Round {
  readonly project: TestProject;
  readonly files: readonly string[];
  /** True if they were not checked before: one that fails without a mutation would notice each of them. */
  readonly isUnchecked?: true;
}

/** The tests that are asked about a file, in order. */
function roundsOf(near: NearTests, room: MutatedRoom, file: string): readonly Round[] {
  const units = unitsOf(near, room, file);
  const own = units.filter((test) => test === ownTestOf(file));
  // The file's own tests notice most, in a second; others may wait for what the mutation removed.
  const others = units.filter((test) => !own.includes(test));
  const first: readonly Round[] = [
    { project: "units", files: others.slice(0, nearest) },
    { project: "sources", files: room.outside },
  ];
  const rounds: readonly Round[] = [
    { project: "units", files: own },
    ...(room.isOutsideFirst === true ? first.toReversed() : first),
    { project: "units", files: others.slice(nearest), isUnchecked: true },
  ];
  return rounds.filter(({ files }) => files.length > 0);
}

async function tryMutation(
  { copy, near }: Workshop,
  room: MutatedRoom,
  mutation: Mutation,
  code: string,
  limits: TestLimits,
): Promise<Verdict> {
  copy.write(mutation.file, mutated(code, mutation));
  try {
    for (const { project, files, isUnchecked } of roundsOf(near, room, mutation.file)) {
      const time = isUnchecked ? { ...limits, run: limits.run * Math.ceil(files.length / nearest) } : limits;
      const run = await runTests(copy.root, project, files, 1, time);
      if (run.passed) continue;
      if (isUnchecked) {
        copy.restore(mutation.file);
        const plain = await runTests(copy.root, project, run.files.length === 0 ? files : run.files, 1, time);
        if (!plain.passed) throw new Error(`${room.name}: fails without a mutation: ${plain.by}`);
      }
      return { outcome: "noticed", by: run.by, files: run.files };
    }
    return { outcome: "survived" };
  } finally {
    copy.restore(mutation.file);
  }
}

/** The path that the unit tests of a file have if it has any. */
function ownTestOf(file: string): string {
  return `test/unit/${file.replace(/\.tsx?$/, ".test.ts")}`;
}

/** The unit tests that are tried first: those of the file's folder, then of its room, then the nearest others. */
function unitsOf(near: NearTests, { folder }: MutatedRoom, file: string): readonly string[] {
  const rank = (test: string): number =>
    [`test/unit/${dirname(file)}/`, `test/unit/${folder}/`, ""].findIndex((start) => test.startsWith(start));
  return near
    .of(file)
    .filter(({ test, distance }) => distance <= farthest || rank(test) < 2)
    .toSorted((one, other) => rank(one.test) - rank(other.test) || one.distance - other.distance)
    .map(({ test }) => test);
}

/**
 * Measures how long tests of the room take: those that wait for what a mutation removed end by it. Throws when tests of
 * the sample fail as the room is, since each mutation would be noticed. Tests of the last round are checked when they
 * fail.
 */
async function checkTests(
  { copy, near }: Workshop,
  room: MutatedRoom,
  mutations: readonly Mutation[],
): Promise<TestLimits> {
  const units = [...new Set(mutations.flatMap(({ file }) => unitsOf(near, room, file).slice(0, nearest)))];
  const began = performance.now();
  const runs = [
    ...(units.length === 0 ? [] : [await runTests(copy.root, "units", units)]),
    await runTests(copy.root, "sources", room.outside),
  ];
  const took = performance.now() - began;
  let longest = 0;
  for (const run of runs) {
    if (!run.passed) throw new Error(`${room.name}: fails without a mutation: ${run.by}`);
    longest = Math.max(longest, run.longest);
  }
  return { test: Math.max(shortestLimit, 4 * longest), run: Math.max(shortestRun, 2 * took) };
}
