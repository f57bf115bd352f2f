import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientsFolder } from "../outbound/harness/build.ts";
import { makeJob } from "../outbound/harness/jobs.ts";
import { type Counts, noCounts, startCheckingServer, total } from "../outbound/harness/server.ts";
import { launchEntry } from "../support/launch.ts";
import { type BundlerProject, bundlerProject } from "./bundler-project.ts";
import { bundlers } from "./six-bundlers.ts";

// The harness of token isolation within a service as bundlers make it: fetch, undici, axios and node:http, whose pools
// jobs share. The clients stand in the module's scope, as authors have them, and so are older than the start of the
// service.
const harness = resolve("test/outbound/harness");
const entry = `import http, { request as namedRequest } from "node:http";
import axios from "axios";
import * as undici from "undici";
import { platformLambda, Service, startLambdaServer } from "tenon";
import { resolveLocally } from "${harness}/resolve-locally.ts";
import { makeShapes } from "${harness}/shapes.ts";

resolveLocally();
const unused = undefined as never;
const clients = {
  undici7: undici as never, undici8: undici as never, axios: axios as never, http, namedRequest, keptFetch: fetch,
  got: unused, ky: unused, nodeFetch: unused,
};
const port = Number(process.env["CHECK_PORT"]);
const shapes = makeShapes(clients, port);

/**
 * Sends a request through each client.
 * @param number Of the job
 * @param names Of the clients
 */
export const send = platformLambda(
  async (number: number, names: string[]): Promise<string[]> => {
    const errors: string[] = [];
    for (const name of names) {
      const url = (way = "plain", host = "svc.local"): string =>
        "http://" + host + ":" + port + "/" + name.replaceAll(" ", "-") + "/" + number + "/" + Math.random() + "/" + way;
      await shapes[name]?.(url).catch((error: unknown) => errors.push(name + ": " + String(error)));
    }
    return errors;
  },
  { executorOpts: { maxWorkers: 100 } },
);
await startLambdaServer(new Service({ name: "Outbound" }));
`;
const shared = [
  "fetch",
  "fetch kept",
  "fetch external",
  "fetch pool of 2",
  "http keep-alive",
  "http named",
  "http get",
];
const ofPackages = ["axios", "axios redirect", "undici 7 request", "undici 7 RetryAgent", "undici 7 pool of 2"];
const composed = ["undici 7 retry", "undici 7 redirect", "undici 7 queue"];
const names = [...shared, ...ofPackages, ...composed];
const jobs = 10;

let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
  const modules = clientsFolder() ?? "";
  mkdirSync(project.path("node_modules"), { recursive: true });
  for (const [name, at] of Object.entries({ axios: "axios", undici: "undici-7" })) {
    symlinkSync(join(modules, "node_modules", at), project.path("node_modules", name));
  }
  project.write({ "src/outbound.ts": entry });
});
afterAll(() => project[Symbol.dispose]());

/** Sends the requests of all jobs through a built service, and counts what is wrong with those that arrive. */
async function run(file: string, proxied: boolean): Promise<{ counts: Counts; shapes: number; warnings: string[] }> {
  const server = await startCheckingServer(proxied);
  const service = await launchEntry(file, ["--test-without-sidecar"], {
    PLATFORM_BASE_URL: "http://127.0.0.1:9",
    TENON_ALLOWED_HOSTS: "localhost",
    CHECK_PORT: String(server.port),
    ...(proxied && { PLATFORM_PROXY_URL: `http://127.0.0.1:${server.port}/forward` }),
  }).listening;
  const errors = await Promise.all(
    Array.from({ length: jobs }, async (_, index) => {
      const { number, id, authorization, traceparent } = makeJob(index + 1);
      const answer = await service.post(
        { number, names },
        {
          "job-id": id,
          authorization,
          traceparent,
          prefer: "wait=600",
        },
      );
      return (await answer.json()) as unknown;
    }),
  );
  const { code, stderr } = await service.stop();
  await server.stop();
  expect([code, errors.flat()]).toEqual([0, []]);
  const warnings = stderr.split("\n").filter((line) => line.includes('"WARNING"'));
  return { counts: total(server.counts.values()), shapes: server.counts.size, warnings };
}

async function build(name: string): Promise<string> {
  const outdir = project.path("outbound", name);
  const { plugins, root } = project;
  // Minifying takes long, and one bundler shows what it does to the names that are looked for.
  const options = { entry: "src/outbound.ts", tenon: { service: false as const }, minify: name === "esbuild" };
  expect(await bundlers[name]?.({ root, outdir, plugins, ...options })).toMatchObject({ warnings: expect.anything() });
  return ["outbound.mjs", "service.mjs"].map((one) => join(outdir, one)).find((one) => existsSync(one)) ?? "";
}

// One of each family: Vite builds with Rolldown, and webpack has the hooks of Rspack. The way through the proxy is the
// same code in every bundle, and local hosts are asked directly there as well.
test.each([
  ["esbuild", true],
  ["rolldown", false],
  ["rspack", false],
])("%s: no request of a job carries another's token, or none", async (name, proxied) => {
  const { counts, shapes, warnings } = await run(await build(name), proxied);
  expect(counts).toEqual({ ...noCounts(), requests: counts.requests });
  expect([shapes, counts.requests > names.length * jobs]).toEqual([names.length, true]);
  expect(warnings).toEqual([]);
});

// Rollup leaves CommonJS packages outside unless it gets a plugin for them, and they are older than the service's
// start.
test("rollup: what nobody can tell the job of goes out with nothing of a job, and is told", async () => {
  const { counts, shapes, warnings } = await run(await build("rollup"), true);
  const { requests, missingToken, missingJob, wrongTrace, wrongRoute, ...never } = counts;
  expect({ ...noCounts(), ...never }).toEqual(noCounts());
  expect([missingToken, wrongTrace, wrongRoute].every((count) => count <= missingJob)).toBe(true);
  expect([shapes, missingJob < requests / 2]).toEqual([names.length, true]);
  expect(warnings.join()).toContain("undici was loaded from outside of the bundle before the service started");
  expect(warnings.join()).toContain("with Rollup: `plugins: [commonjs()]` from @rollup/plugin-commonjs");
});
