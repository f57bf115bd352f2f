/**
 * `npm run fuzz:types -- [--pairs 1000000] [--tools 2000] [--seed N]`: types of every shape against generated, mutated
 * and spoilt values. Compiled validator, report, ajv on the full schema and typia's own validator must agree. Then
 * generated types with tags: none may be absent from the schema unless a diagnostic names it. Exits with 1 when
 * anything is wrong.
 */
import { parseArgs } from "node:util";
import { fuzzTypes } from "./fuzz.ts";
import { compilerReferee } from "./compiler-referee.ts";
import { lookForLostTags } from "./lost-tags.ts";
import { goldenStructures, readStructures, structureFiles } from "./type-structures.ts";
import { typiaValidators } from "./typia-referee.ts";

const { values } = parseArgs({
  options: { pairs: { type: "string" }, tools: { type: "string" }, seed: { type: "string" } },
});
const pairs = Number(values.pairs ?? 50_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const files = structureFiles();
const structures = [...readStructures(files), ...goldenStructures()];
const typia = typiaValidators(files);
console.log(`${structures.length} structures, ${typia.size} of them judged by typia; seed ${seed}`);
const start = performance.now();
const outcome = fuzzTypes({ structures, typia, compiler: compilerReferee(files), seed, pairs });
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(
  `${outcome.pairs} pairs in ${seconds} s: ${outcome.accepted} accepted, ${outcome.refused} refused, ${outcome.typia} judged by typia, ${outcome.compiler} by TypeScript`,
);
for (const [reason, count] of outcome.explained) console.log(`  ${count} differences: ${reason}`);
for (const { name, value, what } of outcome.failures) console.error(`${name}: ${what}\n  ${JSON.stringify(value)}`);
console.log(`${outcome.failures.length} disagreements that nothing explains`);
const lost: string[] = [];
const batch = 200;
for (let tools = 0; tools < Number(values.tools ?? 400); tools += batch) {
  const { tags, used, named, failures } = lookForLostTags(batch, seed + tools);
  console.log(`${tags} tags of ${batch} tools: ${used} in the schema, ${named} named by a diagnostic`);
  lost.push(...failures);
}
for (const failure of lost) console.error(failure);
console.log(`${lost.length} tags lost without a word`);
process.exitCode = outcome.failures.length + lost.length === 0 ? 0 : 1;
