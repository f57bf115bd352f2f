/**
 * Changes one thing in a source file at a time, and asks whether the tests notice: `npm run mutants`.
 *
 * `--room a,b` these rooms of `rooms.ts`, default all; `--sample N` mutations of each, default 40; `--seed N`;
 * `--again` tries survivors again although their tests are as they were, as after a change of fixtures; `--known` tries
 * nothing, and counts what earlier runs did; `--json` writes verdicts as JSON to standard output; `--list` only prints
 * the sample; `--write` puts the figures of these rooms into docs/security.md. A run that was ended goes on where it
 * was, and tries survivors again whose tests have changed.
 * Exit code 1 when a room's tests notice less than its share.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openTypeCheck } from "./check-types.ts";
import { readEquivalents } from "./equivalents.ts";
import { openJournal } from "./journal.ts";
import { described } from "./mutation.ts";
import { figuresOf, mutantsTable, withMutants } from "./mutants-table.ts";
import { readNearTests } from "./near-tests.ts";
import { copyProject } from "./project-copy.ts";
import { mutatedRooms } from "./rooms.ts";
import { shuffledMutations } from "./sample.ts";
import { tryRoom, type RoomOutcome } from "./try-room.ts";

const { values } = parseArgs({
  options: {
    room: { type: "string" },
    sample: { type: "string", default: "40" },
    seed: { type: "string", default: "20261126" },
    again: { type: "boolean", default: false },
    known: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const names = values.room?.split(",") ?? mutatedRooms.map(({ name }) => name);
const rooms = mutatedRooms.filter(({ name }) => names.includes(name));
if (rooms.length < names.length) {
  console.error(`--room takes ${mutatedRooms.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const [size, seed] = [Number(values.sample), Number(values.seed)];
const project = resolve(import.meta.dirname, "../..");
if (values.list) {
  for (const room of rooms)
    for (const mutation of shuffledMutations(project, room, seed).slice(0, size)) console.log(described(mutation));
  process.exit(0);
}

const copy = copyProject(project);
process.once("exit", () => copy.remove());
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const began = performance.now();
const near = readNearTests(copy.root);
const shop = {
  project,
  copy,
  near,
  check: openTypeCheck(copy.root),
  journal: openJournal(join(project, "node_modules/.cache/tenon-mutants.jsonl"), near.digest),
  equivalent: readEquivalents(),
  again: values.again,
  isKnown: values.known,
  log: (text: string) => console.error(`${((performance.now() - began) / 1000).toFixed(0)} s`.padStart(7), ` ${text}`),
};
const outcomes: RoomOutcome[] = [];
for (const room of rooms) outcomes.push(await tryRoom(shop, room, size, seed));

const trials = outcomes.flatMap((outcome) => outcome.trials);
if (values.json) console.log(JSON.stringify({ seed, rooms: outcomes.map(figuresOf), trials }, undefined, 2));
else {
  for (const { mutation, verdict } of trials)
    if (verdict.outcome === "survived") console.log(`SURVIVED ${described(mutation)}`);
  console.log(`\n${mutantsTable(outcomes, seed)}`);
}
if (values.write) {
  const page = join(project, "docs/security.md");
  writeFileSync(page, withMutants(readFileSync(page, "utf8"), outcomes, seed));
}
if (!outcomes.map(figuresOf).every(({ isEnough }) => isEnough)) process.exitCode = 1;
