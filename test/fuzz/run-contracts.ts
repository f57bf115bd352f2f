/**
 * `npm run fuzz:contracts -- [--triples 1000000] [--seed N]`: schemas of random types, mutated ones and values. The
 * witness of each breaking finding of `tenon check --against` must be accepted by one schema and refused by the other,
 * and no value may break without a finding; ajv judges. Exits with 1 when anything is wrong.
 */
import { parseArgs } from "node:util";
import { fuzzContracts } from "./contracts.ts";

const { values } = parseArgs({ options: { triples: { type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const start = performance.now();
const wanted = Number(values.triples ?? 1_000_000);
const failures: string[] = [];
const sums: Record<string, number> = { triples: 0 };
// In steps, which tell how far it is.
for (let step = 0; (sums["triples"] ?? 0) < wanted; step++) {
  const triples = Math.min(100_000, wanted - (sums["triples"] ?? 0));
  const { failures: found, ...counts } = fuzzContracts({ seed: seed + step * 1_000_000, triples });
  failures.push(...found);
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `seed ${seed}, ${seconds} s: ${Object.entries(sums)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ")}`,
  );
}
for (const failure of failures.slice(0, 20)) console.error(failure);
console.log(`${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
