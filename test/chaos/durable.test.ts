import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundleVictims } from "./bundle-victims.ts";
import { checkEffects } from "./durable/check-effects.ts";
import { openStore } from "../../runtime/executor/store/open-store.ts";
import { runDurable } from "./durable/run-durable.ts";
import { runParked } from "./durable/run-parked.ts";

/** The short form of `npm run chaos:durable`. */
test(
  "a service is killed while jobs keep steps: none is lost, and what a ledger counts is what their results say",
  { retry: 0 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-durable-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { service } = await bundleVictims(join(folder, "bundle"));
    const options = { store: "sqlite", jobs: 40, kills: 2, serverKills: 0, replicas: 1, seed: 20_261_124 } as const;
    const report = await runDurable({ ...options, folder, entry: service, log: () => {} });
    expect(report).toMatchObject({ lost: 0, breaches: [], kills: 2 });
  },
);

test(
  "jobs that are parked cost a service nothing, are woken by a message, and all come back by time",
  { retry: 0 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-parked-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const store = await openStore(`sqlite:${join(folder, "jobs.db")}`);
    onTestFinished(() => store.close());
    const claim = vi.spyOn(store, "claim");
    const report = await runParked({ store, jobs: 3000, woken: 1200, idle: 200, log: () => {} });
    expect(report.message).toBeLessThan(5000);
    // One for each job that woke, some that found nothing, and none for those that are parked.
    expect(claim.mock.calls.length).toBeLessThan(2500);
  },
);

test("the check finds a lost job, an effect twice, a foreign effect, another key and another result", () => {
  const result = { effects: { charge: 0, once: 1, end: 2 }, message: null };
  const job = { id: "a", state: "succeeded", steps: 0, message: null, results: [result, result] };
  const effect = (step: string, key = step): { job: string; step: string; key: string } => ({ job: "a", step, key });
  const all = [effect("charge"), effect("once"), effect("end")];
  const texts = (...given: Parameters<typeof checkEffects>): string => checkEffects(...given).breaches.join();
  expect(texts([job], all)).toBe("");
  expect(checkEffects([job], [...all, effect("charge")])).toMatchObject({ repeated: 1, breaches: [] });
  expect(texts([{ ...job, state: "500" }], all)).toContain("lost");
  expect(texts([job], [...all, effect("once")])).toContain("atMostOnce");
  expect(texts([job], [...all, effect("charge", "other")])).toContain("another idempotency key");
  expect(texts([{ ...job, results: [{ ...result, effects: { ...result.effects, end: 1 } }, result] }], all)).toMatch(
    /another result.*not its own/,
  );
});
