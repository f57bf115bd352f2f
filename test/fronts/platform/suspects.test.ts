import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fastClock } from "../../support/fast-clock.ts";
import { jobOf, jobRecord, localPlatform, submit } from "../../support/local-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A worker with four places: it takes what it gets, dies of poison, and ends all other jobs together. */
const script = `
import { existsSync } from "node:fs";
const base = process.env.PLATFORM_BASE_URL;
while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 5));
for (;;) {
  const answers = await Promise.all([1, 2, 3, 4].map(() => fetch(base + "/next_job?wait=0.2")));
  const held = [];
  for (const answer of answers) {
    if (answer.status !== 200) continue;
    const { id, "in-content": { how } } = await answer.json();
    held.push({ id, how, authorization: answer.headers.get("authorization"), attempt: answer.headers.get("job-attempt") });
  }
  console.log("took " + held.map(({ how, attempt }) => how + " " + attempt).join(", "));
  if (held.some(({ how }) => how === "poison")) process.exit(3);
  for (const { id, authorization } of held)
    await fetch(base + "/results/" + id, { method: "POST", headers: { authorization, "content-type": "application/json" }, body: "{}" });
}`;

test("jobs beside one that ends its worker each time are not lost with it: a worker gets one such job at a time", async () => {
  const folder = temporaryFolder({ "worker.mjs": script });
  const lines: string[] = [];
  const platform = await localPlatform({
    leaseSeconds: 3600,
    workers: {
      orders: [{ service: "demo", command: `cd ${folder} && exec node worker.mjs` }],
      env: { PATH: process.env["PATH"] },
      onLine: ({ kind, text }) => void (kind === "log" && text.startsWith("took") && lines.push(text)),
      clock: fastClock(1000),
    },
  });
  const ids = [];
  for (const how of ["fine", "poison", "fine", "fine"]) ids.push(jobOf(await submit(platform, "demo", { how })));
  writeFileSync(join(folder, "go"), "");
  const records = await Promise.all(ids.map((id) => jobRecord(platform, id, 60)));
  expect(records.map(({ status, attempt }) => [status, attempt])).toEqual([
    ["succeeded", 3],
    ["error", 3],
    ["succeeded", 3],
    ["succeeded", 3],
  ]);
  // All together twice; then one at a time.
  expect(lines[0]?.match(/ 1/g)).toHaveLength(4);
  expect(lines[1]?.match(/ 2/g)).toHaveLength(4);
  expect(
    lines
      .slice(2)
      .filter((line) => line !== "took ")
      .toSorted(),
  ).toEqual(["took fine 3", "took fine 3", "took fine 3", "took poison 3"]);
});
