import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startLocalPlatform, type LocalPlatform } from "../../cli/local-platform/start-local-platform.ts";
import { startStub } from "../../examples/fact-checker/stub/start-stub.ts";
import { buildExample } from "../support/build-example.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-on-platform-"));
type Example = "markdown-conversion" | "workflow-simulator" | "fact-checker" | "report-writer" | "batch-tester";
/** Builds that have begun, one for each example. */
const builds = new Map<Example, Promise<void>>();
let platform: LocalPlatform;

beforeAll(async () => {
  platform = await startLocalPlatform({
    folder: join(folder, "platform"),
    services: (["workflow-simulator", "report-writer", "batch-tester"] as const).map((example) => ({
      definition: definitionOf(example),
    })),
    record: join(folder, "record.jsonl"),
  });
});

afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

function definitionOf(example: Example): Record<string, unknown> {
  return JSON.parse(readFileSync(`examples/${example}/service.json`, "utf8")) as Record<string, unknown>;
}

/** Builds an example, once for all tests. */
function build(example: Example): Promise<void> {
  const begun = builds.get(example) ?? buildExample(example, join(folder, example));
  builds.set(example, begun);
  return begun;
}

/** Starts a process of a built example, which is gone after the test. */
function start(example: Example, at = platform, env: Readonly<Record<string, string>> = {}): ChildProcess {
  const out = join(folder, example);
  const child = spawn(process.execPath, [join(out, "service.mjs")], {
    cwd: out,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOST: "127.0.0.1",
      PORT: "0",
      PLATFORM_BASE_URL: `${at.url}/${example}`,
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Registers a REST service as soon as it listens. */
async function serve(example: Example): Promise<void> {
  await build(example);
  const child = start(example);
  const url = await new Promise<string>((found) => {
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += String(chunk);
      const listens = /listens on (http:\S+)\n/.exec(said)?.[1];
      if (listens !== undefined) found(listens);
    });
  });
  await platform.register({ definition: definitionOf(example), url });
}

interface Submitted {
  readonly id: string;
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects by what it compares
  readonly body: any;
}

/**
 * Hands in a job, and resolves when it has ended: to the answer of the call, or on a slow machine to what it would have
 * been.
 */
async function submit(example: Example, request: object, at = platform): Promise<Submitted> {
  const response = await fetch(`${at.url}/services2/${example}/jobs`, {
    method: "POST",
    headers: { "content-type": "application/json", timeout: "20" },
    body: JSON.stringify(request),
  });
  const id = response.headers.get("platform-job-id") ?? "";
  const { status } = response;
  const body = (await response.json()) as Submitted["body"];
  if (status !== 202 || !isUnderWay(body)) return { id, status, body };
  for (;;) {
    const record = await get(`/jobs/${id}?wait=20`, at);
    if (isUnderWay(record)) continue;
    const isDone = record.status === "succeeded";
    return isDone ? { id, status: 200, body: record["result-content"] } : { id, status, body: record };
  }
}

function isUnderWay({ status }: { readonly status?: unknown }): boolean {
  return status === "pending" || status === "executing";
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above
async function get(path: string, at = platform): Promise<any> {
  return (await fetch(at.url + path)).json();
}

async function artifact(urn: string): Promise<string> {
  return (await fetch(`${platform.url}/artifacts/${encodeURIComponent(urn)}`)).text();
}

async function eventsOf(id: string): Promise<readonly Record<string, unknown>[]> {
  const text = await (await fetch(`${platform.url}/jobs/${id}/events`)).text();
  const messages = text.split("\n").filter((line) => line.startsWith("data: "));
  return messages
    .map((line) => JSON.parse(line.slice(6)) as { type: string; data: Record<string, unknown> })
    .filter(({ type }) => type === "platform.job.event")
    .map(({ data }) => data);
}

test("markdown-conversion: an artifact in, an artifact out, and the second call is answered from the aspect", async () => {
  await serve("markdown-conversion");
  const upload = await fetch(`${platform.url}/artifacts`, {
    method: "POST",
    headers: { "content-type": "text/html", "x-name": Buffer.from("handbook.html").toString("base64") },
    body: readFileSync("examples/markdown-conversion/tests/handbook.html"),
  });
  const { id: document } = (await upload.json()) as { id: string };
  const first = await submit("markdown-conversion", { document });
  expect([first.status, first.body]).toEqual([
    200,
    {
      $schema: "urn:example:schema.markdown-conversion.1",
      document,
      markdown: expect.stringMatching(/^urn:platform:artifact:/),
      cached: false,
    },
  ]);
  expect(await artifact(first.body.markdown)).toMatch(/^# Handbook of the \*lathe\*\n/);
  const second = await submit("markdown-conversion", { document });
  expect(second.body).toEqual({ ...first.body, cached: true });
  const none = await submit("markdown-conversion", { document: "urn:platform:artifact:none" });
  expect([none.status, none.body.status]).toEqual([202, "failed"]);
});

test("workflow-simulator: hundreds of events of each job, all of them and in order; warm mode", async () => {
  await build("workflow-simulator");
  start("workflow-simulator");
  const request = { presetName: "research_pipeline", speed: 200 };
  const [one, other, warm] = await Promise.all([
    submit("workflow-simulator", request),
    submit("workflow-simulator", { ...request, seed: 2 }),
    submit("workflow-simulator", { mode: "warm" }),
  ]);
  expect(warm.body).toMatchObject({ message: "Service warm-up complete", totalEvents: 1 });
  for (const { id, status, body } of [one, other]) {
    expect([status, body.totalEvents, body.agentsExecuted]).toEqual([200, 272, 12]);
    const events = await eventsOf(id);
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 272 }, (_, n) => n + 1));
  }
});

test("report-writer has its references checked by fact-checker, with its own token, which goes nowhere else", async () => {
  const pages = await startStub();
  onTestFinished(() => pages.stop());
  await serve("fact-checker");
  await build("report-writer");
  start("report-writer");
  const references = [`"What Is The Solar System?" ${pages.url}/solar-system.html`, `"Gone" ${pages.url}/gone.html`];
  const report = await submit("report-writer", {
    topic: "The Solar System",
    paragraphs: ["Eight planets."],
    references,
  });
  expect([report.status, report.body.confirmed]).toEqual([200, 1]);
  expect(await artifact(report.body.report)).toContain("— **not confirmed:** The page answers 404.");
  expect(await get(`/jobs/${report.body.factCheck}`)).toMatchObject({
    status: "succeeded",
    "service-name": "Fact checker",
  });
  expect((await eventsOf(report.id)).filter(({ options }) => options !== null)).toContainEqual(
    expect.objectContaining({ name: "check", options: { message: "1 of 2 are confirmed" } }),
  );
  expect(new Set(pages.requests.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
  // The platform has written every exchange down, and a secret is the same word everywhere.
  const record = readFileSync(join(folder, "record.jsonl"), "utf8").trimEnd().split("\n");
  const calls = record.map((line) => JSON.parse(line).request as { path: string; headers: Record<string, string> });
  const tokens = (part: string): Set<string | undefined> =>
    new Set(calls.filter(({ path }) => path.includes(part)).map(({ headers }) => headers["authorization"]));
  const own = tokens(`/report-writer/results/`);
  expect([own.size, [...own][0]]).toEqual([1, expect.any(String)]);
  expect(tokens("/report-writer/services2/")).toEqual(own);
});

test("batch-tester: errors and exits end the job, and no process", async () => {
  await build("batch-tester");
  const child = start("batch-tester");
  const [echo, thrown, exit] = await Promise.all([
    submit("batch-tester", { durationSeconds: 0.05, targetCpuPercent: 10, events: 500, echo: "hello world" }),
    submit("batch-tester", { throwAtEnd: "user" }),
    submit("batch-tester", { exitCodeAtEnd: 7 }),
  ]);
  expect(echo.body).toMatchObject({ events: 500, echo: "hello world" });
  expect((await eventsOf(echo.id)).length).toBe(504);
  expect(await get(`/jobs/${thrown.id}`)).toMatchObject({
    status: "failed",
    "error-message": "The request asked for an error of the caller.",
  });
  expect(await get(`/jobs/${exit.id}`)).toMatchObject({ status: "error" });
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
});

test("batch-tester: a job that takes all memory is a dead letter after three workers", async () => {
  await build("batch-tester");
  const mourning = await startLocalPlatform({
    folder: join(folder, "mourning"),
    // A dead worker is missed for as long.
    leaseSeconds: 2,
    services: [{ definition: definitionOf("batch-tester") }],
  });
  let processes = 0;
  let over = false;
  const keep = (): void => {
    if (over) return;
    processes++;
    start("batch-tester", mourning, { NODE_OPTIONS: "--max-old-space-size=40" }).on("exit", keep);
  };
  onTestFinished(async () => {
    over = true;
    await mourning.stop();
  });
  keep();
  const { id } = await submit("batch-tester", { exhaustMemoryAtEnd: true }, mourning);
  expect(await get(`/jobs/${id}`, mourning)).toMatchObject({
    status: "error",
    "error-kind": "interrupted",
    attempt: 3,
  });
  const { items } = (await get("/dead-letters", mourning)) as { items: { id: string }[] };
  expect(items.map((item) => item.id)).toEqual([id]);
  expect(processes).toBeGreaterThanOrEqual(3);
});
