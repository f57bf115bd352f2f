import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createClient, isCallError, type ServiceClient } from "../../runtime/client/index.ts";
import { freePort } from "../support/free-port.ts";
import { launchEntry, type LaunchedService } from "../support/launch.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const entry = join(inject("bundledServices"), "lambda.js");
const folder = mkdtempSync(join(tmpdir(), "tenon-client-"));
const file = (name: string): string => join(folder, name);

interface Tools {
  /** Idempotent; ends once its gate is there. */
  readonly single: (request: { ms: number; gate?: string }) => { pid: number };
  /** Not idempotent. */
  readonly slow: (request: { ms: number; gate?: string }) => { waited: number };
}

let service: LaunchedService;
let proxy: TcpProxy;
let client: ServiceClient<Tools>;

async function start(port: string): Promise<LaunchedService> {
  const env = { PORT: port, TEST_TOOLS: "slow single", TENON_STORE: `sqlite:${file("jobs.db")}`, ...quickWait };
  return launchEntry(entry, ["--test-without-sidecar"], env).listening;
}
const quickWait = { PLATFORM_SHUTDOWN_GRACE: "0" };
const portOf = ({ url }: LaunchedService): string => new URL(url).port;

beforeAll(async () => {
  service = await start(String(await freePort()));
  proxy = await startTcpProxy(Number(portOf(service)));
  client = createClient<Tools>({ url: `http://127.0.0.1:${proxy.port}`, retry: { delay: 10, limit: 60 } });
});
afterAll(async () => {
  await proxy.close();
  await service.kill();
  rmSync(folder, { recursive: true });
});

async function restart(): Promise<void> {
  await service.kill();
  service = await start(portOf(service));
}

test("connections that drop in the middle of a wait: nothing is lost, and no event comes twice", async () => {
  const job = await client.slow.start({ ms: 1, gate: file("dropped") });
  const result = job.result();
  const single = await client.single.start({ ms: 1, gate: file("dropped too") });
  const steps: (readonly [number, unknown])[] = [];
  for await (const { id, data } of single.events()) {
    steps.push([id, data["name"]]);
    proxy.cut();
    writeFileSync(file("dropped too"), "");
  }
  expect(steps).toEqual([
    [1, "wait"],
    [2, "wait"],
  ]);
  proxy.cut();
  writeFileSync(file("dropped"), "");
  expect(await result).toEqual({ waited: 1 });
});

test("a service that is killed and starts again in the middle of a wait gives the result", async () => {
  const job = await client.single.start({ ms: 1, gate: file("killed") });
  const result = job.result();
  const before = service.pid;
  const ids: number[] = [];
  for await (const { id } of job.events()) {
    ids.push(id);
    if (ids.length > 1) continue;
    await restart();
    writeFileSync(file("killed"), "");
  }
  expect((await result).pid).not.toBe(before);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(ids.length);
});

test("a call of an idempotent tool that the kill of its service interrupts is made again", async () => {
  const before = service.pid;
  const call = client.single({ ms: 1, gate: file("call") });
  await expect.poll(() => service.stderr()).toMatch(/waiting/);
  await restart();
  writeFileSync(file("call"), "");
  expect((await call).pid).not.toBe(before);
});

test("a call of any other tool is not made again, and says that its end is not known", async () => {
  const call = client.slow({ ms: 1, gate: file("never") }).then(
    () => "ended",
    (error: unknown) => (isCallError(error) ? error.kind : error),
  );
  await expect.poll(() => service.stderr()).toMatch(/waiting/);
  await restart();
  expect(await call).toBe("unreachable");
});
