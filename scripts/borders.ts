/**
 * Prints the rooms as floors. Fails when an import goes against the order, a room imports itself through others, or a
 * folder is missing in the list (`scripts/borders/rooms.ts`). `npm run borders`.
 */
import { existsSync, globSync } from "node:fs";
import { dirname } from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult, type IResolveOptions } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { floorsOf, roomOf, rooms } from "./borders/rooms.ts";
import { forbidden } from "./borders/rules.ts";
import { findKnots } from "./borders/find-knots.ts";

const options: ICruiseOptions = {
  doNotFollow: { path: "node_modules" },
  tsPreCompilationDeps: true,
  ruleSet: { forbidden },
  validate: true,
};
const resolving: Partial<IResolveOptions> = {
  extensions: [".ts", ".tsx", ".js", ".mjs", ".json"],
  conditionNames: ["import", "types", "node", "default"],
  exportsFields: ["exports"],
};
const { output } = await cruise(["plugin", "runtime", "cli"], options, resolving, {
  tsConfig: extractTSConfig("tsconfig.json"),
});
const { modules, summary } = output as ICruiseResult;
const problems = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);

const files = globSync("{plugin,runtime,cli}/**/*.{ts,tsx}");
for (const folder of new Set(files.map(dirname))) {
  if (rooms[dirname(folder)] === undefined && folder.includes("/"))
    problems.push(`${folder}: ${dirname(folder)} has no list of its rooms in scripts/borders/rooms.ts`);
}
for (const folder of Object.keys(rooms)) {
  if (!existsSync(folder)) problems.push(`scripts/borders/rooms.ts lists ${folder}, which does not exist`);
  const inside = files.filter((file) => file.startsWith(`${folder}/`));
  const used = new Set(inside.map((file) => roomOf(folder, file)));
  for (const file of inside)
    if (roomOf(folder, file) === undefined) problems.push(`${file} is in no room of ${folder}`);
  for (const room of floorsOf(folder).keys())
    if (!used.has(room)) problems.push(`scripts/borders/rooms.ts lists ${folder}/${room}, which has no file`);
}

const arrows = modules.flatMap(({ source, dependencies }) =>
  dependencies.map(({ resolved }) => [source, resolved] as const),
);
let upward = 0;
let knots = 0;
for (const [folder, floors] of Object.entries(rooms)) {
  const between = arrows.flatMap(([from, to]) => {
    const [a, b] = [roomOf(folder, from), roomOf(folder, to)];
    return a === undefined || b === undefined || a === b ? [] : [[a, b] as const];
  });
  const above = floorsOf(folder);
  upward += between.filter(([a, b]) => (above.get(a) ?? 0) <= (above.get(b) ?? 0)).length;
  const found = findKnots(between);
  knots += found.length;
  for (const knot of found) problems.push(`${folder}: these rooms all reach one another: ${knot.join(", ")}`);
  console.log(`${folder}/`);
  for (const [index, floor] of [...floors.entries()].toReversed())
    console.log(`  ${String(index).padStart(2)}  ${[floor].flat().join(" | ")}`);
}
console.log(`${modules.length} files, ${upward} arrows up, ${knots} knots of rooms, ${problems.length} problems`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
