import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildExample, tenonIn } from "../support/build-example.ts";
import { launchEntry, type LaunchedService } from "../support/launch.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-order-"));
  await buildExample("order", join(folder, "dist"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(slow: number): Promise<LaunchedService> {
  const env = {
    LEDGER: join(folder, "ledger.txt"),
    SLOW: String(slow),
    COOLING: "1s",
    TENON_STORE: `sqlite:${join(folder, "jobs.db")}`,
  };
  return launchEntry(join(folder, "dist/service.mjs"), [], env).listening;
}

function ledger(): string[] {
  const file = join(folder, "ledger.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

test("an order goes on behind what it has done after kill -9, and somebody else approves it", async () => {
  let service = await start(60_000);
  const order = { order: "7", items: ["hat", "coat"] };
  await service.post(order, { "job-id": "one", prefer: "respond-async" });
  await expect.poll(ledger).toHaveLength(1);
  await service.kill();
  service = await start(0);
  const job = (): Promise<Response> => fetch(`${service.url}/jobs/one`);
  const waitsFor = async (): Promise<unknown> => ((await (await job()).json()) as Record<string, unknown>)["waits-for"];
  await expect.poll(waitsFor).toMatchObject({ message: "approval" });
  // The charge was under way: it was made again, with the same key.
  const effects = ledger();
  expect(effects.map((line) => line.replace(/ [\da-f-]{36}$/, ""))).toEqual([
    "charge 7",
    "charge 7",
    "ship hat",
    "ship coat",
  ]);
  expect(new Set(effects).size).toBe(3);
  await service.kill();
  service = await start(0);
  const send = (body: unknown, key: string): Promise<Response> =>
    service.post(body, { "idempotency-key": key }, "/jobs/one/messages/approval");
  expect((await send({ approved: "yes" }, "a")).status).toBe(422);
  expect((await service.post({}, {}, "/jobs/none/messages/approval")).status).toBe(404);
  expect((await send({ approved: true }, "b")).status).toBe(202);
  const ended = await fetch(`${service.url}/jobs/one`, { headers: { prefer: "wait=30" } });
  expect(await ended.json()).toMatchObject({ approved: true, shipped: { hat: expect.any(String) as string } });
  expect((await send({ approved: true }, "c")).status).toBe(410);
  expect(ledger()).toEqual(effects);
  // The history is what a test takes. The same order runs again from the second shipment on.
  const history = await (await fetch(`${service.url}/jobs/one/history`)).json();
  expect(history).toMatchObject({
    kept: { charge: expect.any(String) as string, "~wait:approval": { approved: true } },
    failed: {},
    messages: { approval: { approved: true } },
  });
  expect((await service.post({ from: "shop" }, {}, "/jobs/one/fork")).status).toBe(400);
  const forked = await service.post({ from: "ship[coat]" }, {}, "/jobs/one/fork");
  expect(forked.status).toBe(202);
  const again = forked.headers.get("location") ?? "";
  await expect.poll(() => ledger().length).toBe(effects.length + 1);
  expect(ledger().at(-1)).toMatch(/^ship coat/);
  expect(effects).not.toContain(ledger().at(-1));
  expect((await service.post({ approved: true }, {}, `${again}/messages/approval`)).status).toBe(202);
  const second = await fetch(`${service.url}${again}`, { headers: { prefer: "wait=30" } });
  expect(await second.json()).toMatchObject({
    approved: true,
    paid: (history as { kept: { charge: string } }).kept.charge,
  });
  // The command line asks a running service for the same.
  const words = ["platform", "fork", "one", "--from", "ship[coat]", "--url", service.url, "--json"];
  const { status, stdout } = tenonIn("order", ...words);
  expect(status).toBe(0);
  const third = (JSON.parse(stdout) as { readonly "job-id": string })["job-id"];
  await expect.poll(() => ledger().length).toBe(effects.length + 2);
  await expect
    .poll(async () => (await fetch(`${service.url}/jobs/${third}`)).json())
    .toMatchObject({ "waits-for": { message: "approval" } });
  const unknown = tenonIn("order", "platform", "fork", "none", "--url", service.url);
  expect(unknown).toMatchObject({ status: 1, stderr: "tenon: The job does not exist, or has expired.\n" });
  await service.stop();
});
