import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleHarness, clientsFolder } from "./harness/build.ts";
import { drive, driveHosts, unbundledEntry } from "./harness/drive.ts";
import { noCounts, total } from "./harness/server.ts";
import type { Counts } from "./harness/server.ts";

// The short form of `npm run isolation`.
const clients = clientsFolder() ?? "";
if (clients === "")
  console.warn("SKIPPED: outbound isolation. The workspace test/versions/outbound-clients is not installed.");

const size = { jobs: 10, requests: 2, outside: true } as const;
const most = [
  "fetch",
  "fetch pool of 2",
  "undici 7 RetryAgent",
  "undici 8 RetryAgent",
  "undici 7 redirect",
  "http keep-alive",
  "axios redirect",
  "http named",
];

describe.skipIf(clients === "")("token isolation", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-outbound-"));
  const minified = join(folder, "minified.mjs");
  const readable = join(folder, "readable.mjs");
  const plain = join(folder, "plain.mjs");

  beforeAll(async () => {
    await bundleHarness(clients, minified, { minify: true });
    await bundleHarness(clients, readable);
    await bundleHarness(clients, plain, { plain: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function sumOf({ counts, errors }: { counts: ReadonlyMap<string, Counts>; errors: readonly string[] }): Counts {
    expect(errors).toEqual([]);
    return total(counts.values());
  }

  test.each([
    ["minified bundle", minified, false],
    ["minified bundle, proxied", minified, true],
    ["readable bundle", readable, false],
  ])("%s: all clients", async (_, file, proxied) => {
    const driven = await drive({ file }, { ...size, proxied, rule: "tenon" });
    const sum = sumOf(driven);
    expect(driven.counts.size).toBe(driven.shapes.length);
    expect(sum.requests).toBeGreaterThan(driven.shapes.length * size.jobs * size.requests);
    expect(sum).toEqual({ ...noCounts(), requests: sum.requests });
  });

  test.each([false, true])("without a bundle, proxied: %s", async (proxied) => {
    const driven = await drive({ file: unbundledEntry, clients }, { ...size, proxied, rule: "tenon", shapes: most });
    const sum = sumOf(driven);
    expect(driven.counts.size).toBe(most.length);
    expect(sum).toEqual({ ...noCounts(), requests: sum.requests });
  });

  test("the naive control is wrong where connections are shared", async () => {
    const shapes = ["undici 7 pool of 2", "undici 7 RetryAgent", "undici 8 RetryAgent"];
    const { counts } = await drive({ file: plain }, { ...size, proxied: false, rule: "naive", shapes });
    for (const name of shapes) {
      const { wrongToken, wrongJob, wrongTrace } = counts.get(name.replaceAll(" ", "-")) ?? noCounts();
      expect([name, Math.min(wrongToken, wrongJob, wrongTrace) > 0]).toEqual([name, true]);
    }
  });

  test("hostile URLs: no token to a host that is not local, and none is missed", async () => {
    const found = await driveHosts({ file: minified }, { seed: 7, count: 250 });
    expect(found).toMatchObject({ leaked: [], missed: [], errors: [] });
    // Both kinds of hosts were reached by every client.
    expect(found.tokens).toBeGreaterThan(250);
    expect(found.requests - found.tokens).toBeGreaterThan(250);
  });
});
