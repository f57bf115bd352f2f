/**
 * Attacks a built service from outside, and the peers of the benchmarks beside it: `npm run harden`.
 *
 * `--requests N` random requests, default 1,000,000; `--minutes N` of mixed load, default 60; `--kills N` and
 * `--jobs N` of the kill sweep; `--only a,b` these attacks; `--seed N`; `--no-peers`; `--write` puts the rows of what
 * ran into docs/security.md. Peers run where `npm ci --prefix bench` was run. Exit code 1 when something happened that
 * must not.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createChance } from "../chaos/chance.ts";
import { buildTarget } from "./build-target.ts";
import { peerContenders, tenonContender } from "./contenders.ts";
import { attacks, runAttacks } from "./run-attacks.ts";
import { securityTable, withTable } from "./security-table.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    chunks: { type: "string", default: "1200000" },
    sockets: { type: "string", default: "200" },
    seconds: { type: "string", default: "70" },
    minutes: { type: "string", default: "60" },
    jobs: { type: "string", default: "2000" },
    kills: { type: "string", default: "200" },
    only: { type: "string" },
    seed: { type: "string", default: "20261122" },
    peers: { type: "boolean", default: true },
    write: { type: "boolean", default: false },
  },
  allowNegative: true,
});
const seed = Number(values.seed);
const root = resolve(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
// Within the project, since the attacked service is built from its sources.
const folder = mkdtempSync(join(cache, "tenon-harden-"));
const began = performance.now();
try {
  const findings = await runAttacks(
    {
      tenon: tenonContender(buildTarget(folder, "package")),
      peers: values.peers ? peerContenders() : [],
      size: {
        requests: Number(values.requests),
        answerWithin: 1000,
        chunks: Number(values.chunks),
        sockets: Number(values.sockets),
        seconds: Number(values.seconds),
        minutes: Number(values.minutes),
        jobs: Number(values.jobs),
        kills: Number(values.kills),
        bytes: 1_000_000,
        milliseconds: 50,
      },
      chance: () => createChance(seed),
      seed,
      folder: (name) => mkdirSync(join(folder, name), { recursive: true }) ?? join(folder, name),
      log: (text) => console.log(`${((performance.now() - began) / 1000).toFixed(0)} s`.padStart(7), ` ${text}`),
    },
    values.only?.split(",") ?? Object.keys(attacks),
  );
  const table = securityTable(findings);
  console.log(`\n${table}\n`);
  for (const { attack, breaches } of findings)
    for (const breach of breaches.slice(0, 20)) console.log(`BROKEN  ${attack}: ${breach}`);
  if (values.write) {
    const page = join(root, "docs/security.md");
    writeFileSync(page, withTable(readFileSync(page, "utf8"), findings));
  }
  if (findings.some(({ breaches }) => breaches.length > 0)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
