import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { launchEntry, type LaunchedService } from "../../support/launch.ts";

const entry = join(inject("bundledServices"), "lambda.js");

test("a job that ends its process at every attempt takes none of its neighbours with it for good", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-poison-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { TENON_STORE: `sqlite:${join(folder, "jobs.db")}`, TEST_TOOLS: "deadly" };
  const start = (): Promise<LaunchedService> => launchEntry(entry, [], env).listening;
  const at = await start();
  // Neighbours take longer, so that each of them runs when the process ends.
  const paths = await Promise.all(
    [900, 901, 902, 666].map(async (ms, index) => {
      const answer = await at.post({ ms }, { "job-id": `job-${index}`, prefer: "wait=0" });
      expect(answer.status).toBe(202);
      return `/jobs/job-${index}`;
    }),
  );
  let deaths = 0;
  let last = at;
  for (; ; deaths++) {
    const waiting = fetch(`${last.url}${paths[3]}`, { headers: { prefer: "wait=60" } }).catch(() => undefined);
    const { status } = (await waiting) ?? { status: 0 };
    if (status !== 0) break;
    await last.ended;
    last = await start();
  }
  onTestFinished(() => void last.kill());
  expect(deaths).toBe(3);
  const answers = paths.map(async (path) => (await fetch(last.url + path, { headers: { prefer: "wait=60" } })).json());
  const [one, two, three, poison] = await Promise.all(answers);
  expect([one, two, three]).toEqual([{ waited: 900 }, { waited: 901 }, { waited: 902 }]);
  expect(poison).toMatchObject({ type: "urn:platform:problem:interrupted" });
});
