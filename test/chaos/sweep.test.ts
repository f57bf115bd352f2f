import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleVictims } from "./bundle-victims.ts";
import { runSweep } from "./run-sweep.ts";

/** The short form of `npm run chaos`, which does the same ten thousand times. */
test(
  "workers, a service and the platform are killed while jobs run: nothing is lost, doubled or written too late",
  { retry: 0 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-chaos-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { breaches, kills, ends } = await runSweep({
      jobs: 80,
      kills: 6,
      seed: 20_261_122,
      workers: 2,
      leaseSeconds: 2,
      folder,
      log: () => {},
      entries: await bundleVictims(join(folder, "bundle")),
    });
    expect(breaches).toEqual([]);
    expect(Object.values(kills).reduce((sum, count) => sum + count)).toBe(6);
    expect(Object.values(ends).reduce((sum, count) => sum + count)).toBe(80);
  },
);
