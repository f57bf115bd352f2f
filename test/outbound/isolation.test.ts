import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleHarness, clientsFolder } from "./harness/build.ts";
import { drive, unbundledEntry, type Driven } from "./harness/drive.ts";
import { noCounts, total, type Counts } from "./harness/server.ts";

// The short form of `npm run isolation`: one process for all that a bundle is asked, as starting one costs the most.
const clients = clientsFolder() ?? "";
if (clients === "")
  console.warn("SKIPPED: outbound isolation. The workspace test/versions/outbound-clients is not installed.");

const direct = { jobs: 5, requests: 2, outside: true, proxied: false, rule: "tenon" } as const;
const proxied = { ...direct, proxied: true };
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
const shared = ["undici 7 pool of 2", "undici 7 RetryAgent", "undici 8 RetryAgent"];

describe.skipIf(clients === "")("token isolation", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-outbound-"));
  const file = join(folder, "minified.mjs");
  const driven: { bundle: readonly Driven[]; unbundled: readonly Driven[] } = { bundle: [], unbundled: [] };

  beforeAll(async () => {
    // Both processes at the same time: each waits for its servers, which are in this one.
    const unbundled = drive(
      { file: unbundledEntry, clients },
      [direct, proxied].map((run) => ({ ...run, shapes: most })),
    );
    await bundleHarness(clients, file, { minify: true });
    const naive = { ...direct, rule: "naive", shapes: shared } as const;
    driven.bundle = await drive({ file }, [direct, proxied, naive, { ...direct, hosts: { seed: 7, count: 120 } }]);
    driven.unbundled = await unbundled;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function expectIsolated(found: Driven | undefined, least: number): void {
    const { counts, shapes, errors } = found ?? { counts: new Map<string, Counts>(), shapes: [], errors: ["none"] };
    expect(errors).toEqual([]);
    expect(counts.size).toBe(shapes.length);
    const sum = total(counts.values());
    expect(sum.requests).toBeGreaterThan(least);
    expect(sum).toEqual({ ...noCounts(), requests: sum.requests });
  }

  test.each([
    ["directly", 0],
    ["through the proxy", 1],
  ])("a bundle with all clients, %s", (_, index) => {
    const found = driven.bundle[index];
    expectIsolated(found, (found?.shapes.length ?? 0) * direct.jobs * direct.requests);
    expect(found?.shapes.length).toBeGreaterThan(50);
  });

  test("without a bundle, directly and through the proxy", () => {
    const { unbundled } = driven;
    expect(unbundled).toHaveLength(2);
    for (const one of unbundled) expectIsolated(one, most.length * direct.jobs * direct.requests);
  });

  test("the naive control is wrong where connections are shared", () => {
    for (const name of shared) {
      const { wrongToken, wrongJob, wrongTrace } =
        driven.bundle[2]?.counts.get(name.replaceAll(" ", "-")) ?? noCounts();
      expect([name, Math.min(wrongToken, wrongJob, wrongTrace) > 0]).toEqual([name, true]);
    }
  });

  test("hostile URLs: no token to a host that is not local, and none is missed", () => {
    const { errors, found } = driven.bundle[3] ?? {};
    expect({ ...found, errors }).toMatchObject({ leaked: [], missed: [], errors: [] });
    // Both kinds of hosts were reached by every client.
    const { tokens = 0, requests = 0 } = found ?? {};
    expect(tokens).toBeGreaterThan(120);
    expect(requests - tokens).toBeGreaterThan(120);
  });
});
