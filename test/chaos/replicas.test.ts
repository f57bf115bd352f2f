import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleVictims } from "./bundle-victims.ts";
import { runReplicas } from "./replicas/run-replicas.ts";

/** The short form of `npm run chaos -- --store postgres`. Most of its time is the lease of a dead replica. */
test(
  "replicas and their PostgreSQL server are killed while jobs run: nothing is lost, doubled, or told otherwise later",
  { retry: 0 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-chaos-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { service } = await bundleVictims(join(folder, "bundle"));
    const { breaches, kills, ends } = await runReplicas({
      jobs: 90,
      kills: 2,
      serverKills: 1,
      replicas: 2,
      longest: Infinity,
      seed: 20_261_123,
      folder,
      entry: service,
      log: () => {},
    });
    expect(breaches).toEqual([]);
    expect(kills).toEqual({ replica: 2, server: 1 });
    expect(Object.values(ends).reduce((sum, count) => sum + count)).toBe(90);
  },
);
