import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { timeOfJobId } from "../../runtime/job/time-of-job-id.ts";
import { createChance } from "../chaos/chance.ts";
import { packedProject, serve, type PackedProject, type Served } from "../support/packed-project.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { primeFiles } from "../support/prime-project.ts";

const tick = `import { appendFileSync } from "node:fs";
import type { JobContext } from "tenon";

/**
 * Notes that it was called.
 * @tool
 * @schedule "* * * * * *" {"mark": "second"}
 * @schedule "0 3 1 1 *" Europe/Zurich {"mark": "year"} missed=skip
 * @schedule "* * * * * *" {"mark": "each"} missed=all overlap=allow
 * @schedule "30 2 * * 7" Europe/Zurich {"mark": "Sunday"} missed=skip
 */
export function tick(mark: string, job: JobContext): string {
  appendFileSync(process.env["LEDGER"] ?? "", [mark, job.origin, String(job.caller), job.jobId].join(" ") + "\\n");
  return mark;
}
`;

let project: PackedProject;
let entry: string;
let served: Served | undefined;

beforeAll(() => {
  const entryText = (primeFiles["src/service.ts"] ?? "").replace('import "./is-prime.js";', 'import "./tick.js";');
  const manifest = '{ "name": "ticking", "type": "module", "version": "1.0.0", "dependencies": { "pg": "8" } }';
  project = packedProject(
    { ...primeFiles, "src/service.ts": entryText, "src/tick.ts": tick, "package.json": manifest },
    { packages: ["pg"] },
  );
  expect(project.tenon("build", "--source-maps")).toMatchObject({ status: 0 });
  entry = join(project.root, "dist/service.mjs");
});
afterEach(async () => {
  await served?.stop();
  served = undefined;
});
afterAll(() => project.dispose());

const ledger = (): string => join(project.root, "ledger");
/** Jobs of the first schedule, which tries once and leaves out what overlaps. */
const lines = (): readonly string[] =>
  existsSync(ledger()) ? (readFileSync(ledger(), "utf8").match(/^second .*$/gm) ?? []) : [];

function start(store: string): Promise<Served> {
  return serve(entry, [], { TENON_STORE: store, LEDGER: ledger() });
}

test("the definition lists schedules, and inspect the next three firings", () => {
  const { tools } = JSON.parse(project.node([entry, "--print-service-description"]).stdout) as { tools: object[] };
  expect(tools).toMatchObject([
    {
      schedules: [
        { cron: "* * * * * *", zone: "UTC", request: { mark: "second" }, missed: "one", overlap: "skip" },
        { cron: "0 3 1 1 *", zone: "Europe/Zurich", request: { mark: "year" }, missed: "skip", overlap: "skip" },
        { cron: "* * * * * *", zone: "UTC", request: { mark: "each" }, missed: "all", overlap: "allow" },
        { cron: "30 2 * * 7", zone: "Europe/Zurich", request: { mark: "Sunday" }, missed: "skip", overlap: "skip" },
      ],
    },
  ]);
  const { stderr } = project.tenon("inspect", "tick");
  expect(stderr).toMatch(/schedule +"0 3 1 1 \*" Europe\/Zurich: \d{4}-01-01T02:00:00.000Z, .*, .* …/);
  // Clocks change on Sundays.
  expect(stderr).toMatch(/\n +\d{4}-03-\d\d 02:00 to 03:00 is left out: fires at its end\n/);
  expect(stderr).toMatch(/\n +\d{4}-10-\d\d 02:00 to 03:00 comes twice: fires the first time only\n/);
});

test("a service fires by itself, goes on behind a kill, and is paused and resumed from outside", async () => {
  const store = `sqlite:${join(project.root, "jobs.db")}`;
  served = await start(store);
  await expect.poll(() => lines().length).toBeGreaterThan(1);
  served.child.kill("SIGKILL");
  const before = lines().length;
  served = await start(store);
  await expect.poll(() => lines().length).toBeGreaterThan(before + 1);
  const ids = lines().map((line) => line.split(" ")[3]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(lines()[0]).toMatch(/^second schedule undefined urn:platform:job:schedule~tick~1~\d{8}T\d{6}Z$/);

  const { url } = served;
  const paused = project.tenon("schedules", "pause", "tick", "1", "--url", url);
  expect(paused).toMatchObject({ status: 0 });
  expect(paused.stderr).toMatch(/^tick 1 {2}"\* \* \* \* \* \*" UTC {2}paused {2}last /);
  const { stdout } = project.tenon("schedules", "--url", url);
  expect(stdout).toMatch(/tick 2 {2}"0 3 1 1 \*" Europe\/Zurich {2}next \d{4}-01-01T02:00:00.000Z\n/);
  const answer = await fetch(`${url}/schedules`);
  expect(await answer.json()).toMatchObject({
    items: [
      { number: 1, paused: true },
      { number: 2, paused: false },
      { number: 3, paused: false },
      { number: 4, paused: false },
    ],
  });
  const until = lines().length;
  expect(project.tenon("schedules", "resume", "tick", "1", "--url", url)).toMatchObject({ status: 0 });
  await expect.poll(() => lines().length).toBeGreaterThan(until);

  const put = (path: string, body: string): Promise<Response> =>
    fetch(url + path, { method: "PUT", headers: { "content-type": "application/json" }, body });
  expect((await put("/schedules/tick/1/paused", "1")).status).toBe(400);
  expect((await put("/schedules/tick/5/paused", "true")).status).toBe(404);
  const chosen = { "content-type": "application/json", "job-id": "schedule~tick~1~20200101T000000Z" };
  const call = await fetch(`${url}/tool`, { method: "POST", headers: chosen, body: '{"mark": "x"}' });
  expect(call.status).toBe(400);
});

test("with memory: a service fires, and says what that means", async () => {
  served = await start("memory:");
  const until = lines().length;
  await expect.poll(() => lines().length).toBeGreaterThan(until);
  // The log comes behind what it tells of.
  await expect.poll(() => served?.stderr()).toContain("The schedules are in memory");
});

test("replicas on PostgreSQL that are killed at random fire each second once, and leave none out", async () => {
  const server = await startPostgres();
  const replicas: Served[] = [];
  const client = new Client(server.url());
  try {
    const random = createChance(7);
    const store = server.url("schedules");
    for (let index = 0; index < 3; index++) replicas.push(await start(store));
    await client.connect();
    const seconds = async (): Promise<readonly number[]> => {
      const text = "SELECT id FROM schedules.jobs WHERE id LIKE 'schedule~tick~3~%' ORDER BY id";
      const { rows } = await client.query<{ id: string }>(text);
      return rows.map(({ id }) => (timeOfJobId(`:${id}`) ?? 0) / 1000);
    };
    for (let kills = 0; kills < 6; kills++) {
      const before = (await seconds()).length;
      await expect.poll(async () => (await seconds()).length, { interval: 20 }).toBeGreaterThan(before);
      const index = random.below(replicas.length);
      replicas[index]?.child.kill("SIGKILL");
      replicas[index] = await start(store);
    }
    const found = await seconds();
    const [first = 0] = found;
    expect(found).toEqual(found.map((_, index) => first + index));
    expect(found.length).toBeGreaterThan(6);
  } finally {
    await client.end();
    for (const replica of replicas) await replica.stop();
    await server.stop();
  }
});
