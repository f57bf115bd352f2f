import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleView, openConsole } from "../support/console-view.ts";
import { callAbout, fetchJob } from "../support/local-platform.ts";
import { freePort } from "../support/free-port.ts";
import { type PackedProject, packedProject } from "../support/packed-project.ts";
import { type PlatformProcess, startPlatform } from "../support/platform-process.ts";
import { primeFiles } from "../support/prime-project.ts";

const service = `import { Service, loggingInit, startBatchService } from "tenon";
import { wait } from "./wait.js";

loggingInit();
await startBatchService(new Service({ name: "Prime numbers" }), wait);
`;
const wait = `import { existsSync } from "node:fs";
import type { JobContext } from "tenon";

/**
 * Waits until a file is there.
 * @tool
 * @param file What to wait for.
 */
export async function wait(file: string, job: JobContext): Promise<string> {
  return job.report.step("look", { message: "Looking for the file" }, async (step) => {
    step.info({ progress: 40 });
    while (!existsSync(file) && !job.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
    return "found";
  });
}
`;
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const key = "prime-numbers";
const json = { "content-type": "application/json" };

let user: PackedProject;
let browser: Browser;
let platform: PlatformProcess;
let view: ConsoleView;
const workers: ChildProcess[] = [];

// A lease of a second is also lost by a busy machine.
const begin = (port: string): Promise<PlatformProcess> =>
  startPlatform([join(user.root, "service.json"), "--folder", join(user.root, "data"), "--lease", "3", "--port", port]);

beforeAll(async () => {
  user = packedProject({ ...primeFiles, "src/service.ts": service, "src/wait.ts": wait });
  expect(user.tenon("build")).toMatchObject({ status: 0 });
  [browser, platform] = await Promise.all([openBrowser(), begin(String(await freePort()))]);
});
afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await browser.close();
  await platform.stop();
  user.dispose();
});
beforeEach(async () => {
  view = await openConsole(browser);
});
afterEach(async () => {
  await view.page.close();
  expect(view.faults).toEqual([]);
});

const open = (path: string): Promise<unknown> => view.page.goto(`${platform.url}/#/${path}`);

function startWorker(): ChildProcess {
  const env = { ...process.env, PLATFORM_BASE_URL: `${platform.url}/${key}` };
  const worker = spawn(process.execPath, [join(user.root, "dist/service.mjs")], { env, stdio: "ignore" });
  workers.push(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  worker.kill("SIGKILL");
  await once(worker, "exit");
}

async function submit(id: string, file: string, traceparent = ""): Promise<void> {
  const headers = { ...json, "job-id": id, prefer: "respond-async", traceparent };
  const body = JSON.stringify({ file });
  const answer = await fetch(`${platform.url}/services2/${key}/jobs`, { method: "POST", headers, body });
  expect(answer.status).toBe(202);
}

test("a job that loses two workers: its attempts and steps on a timeline, live, in both themes, on a phone", async () => {
  const file = join(user.root, "go");
  await submit("three", file);
  await open("jobs/three");
  await view.shows(/pending(.|\n)*It waits for a worker/);
  for (const attempt of [1, 2]) {
    const worker = startWorker();
    await view.shows(new RegExp(`Attempt ${attempt}(.|\n)*executing · 127\\.0\\.0\\.1:\\d+(.|\n)*look`), ".steps");
    await kill(worker);
    await view.shows(new RegExp(`Attempt ${attempt}(.|\n)*lost: its lease expired`), ".steps");
  }
  const last = startWorker();
  await view.shows(/Attempt 3(.|\n)*executing · (.|\n)*look/, ".steps");
  writeFileSync(file, "");
  await view.shows(/succeeded(.|\n)*Attempt 3(.|\n)*succeeded · (.|\n)*found/, "main");
  expect(await view.page.$$eval(".steps .attempt", (rows) => rows.length)).toBe(3);
  await view.shows(/"file": ".*go"/, 'section[aria-label="Request"]');
  await view.shows("Run again", "main header");
  const { attempts } = (await (await fetch(`${platform.url}/jobs/three`)).json()) as { attempts: { status: string }[] };
  expect(attempts.map(({ status }) => status)).toEqual(["lost", "lost", "succeeded"]);
  await view.expectAccessible("light");
  await view.expectAccessible("dark");
  await kill(last);
});

test("the list is filtered by state, by trace and by job; a job is cancelled, and run again from its page", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  await submit("traced", join(user.root, "never"), `00-${trace}-00f067aa0ba902b7-01`);
  await submit("other", join(user.root, "never"));
  await open("jobs");
  await view.shows(/traced(.|\n)*|other/, ".virtual");
  const rows = (): Promise<number> => view.page.$$eval(".virtual li", (found) => found.length);
  await view.fillIn(["searchbox", "Job or trace id"], trace);
  await expect.poll(rows).toBe(1);
  await view.shows("traced", ".virtual");
  await view.fillIn(["searchbox", "Job or trace id"], "urn:platform:job:other");
  await expect.poll(() => view.text(".virtual")).not.toMatch("traced");
  await view.page.locator(".virtual a").click();
  await view.find("button", "Cancel").click();
  await view.shows("cancelled", "main");
  await view.find("link", "‹ Jobs").click();
  await view.fillIn(["combobox", "State"], "cancelled");
  await expect.poll(rows).toBe(1);
  await view.fillIn(["searchbox", "Job or trace id"], "nothing");
  await view.shows("No job is like this.");
  await open(`tools/${key}/wait`);
  await view.fillIn(["textbox", "file *"], join(user.root, "never"));
  await view.find("button", "Call").click();
  await view.page.locator('section[aria-label="Answer"] a.mono').click();
  await view.find("button", "Run again").click();
  await expect
    .poll(async () => {
      const { items } = (await (await fetch(`${platform.url}/jobs?status=pending`)).json()) as { items: unknown[] };
      return items.length;
    })
    .toBe(3);
});

test("a job that lost three workers is a dead letter, and is put back", async () => {
  const asked = await fetch(`${platform.url}/services2/dying`, {
    method: "PUT",
    headers: json,
    body: '{"name":"dying"}',
  });
  expect(asked.status).toBeLessThan(300);
  await fetch(`${platform.url}/services2/dying/jobs`, {
    method: "POST",
    headers: { ...json, "job-id": "dead" },
    body: "1",
  });
  for (let attempt = 1; attempt <= 3; attempt++) {
    await expect.poll(async () => (await fetch(`${platform.url}/dying/next_job?wait=5`)).status).toBe(200);
  }
  await open("dead-letters");
  await view.shows(/dead\s+dying(.|\n)*/, ".cards");
  await view.expectAccessible("light");
  await view.page.setViewport({ width: 1440, height: 900 });
  await view.find("button", "Redrive").click();
  await view.shows("There are none.");
  await open("jobs/dead");
  await view.shows(/Attempt 1(.|\n)*Attempt 2(.|\n)*Attempt 3(.|\n)*lost: its lease expired/, ".steps");
});

test("of the calls that a debounced job answers, its page shows the last one, and the job runs with that", async () => {
  const text = { type: "string" };
  const schema = { type: "object", required: ["text"], properties: { text } };
  const index = { name: "index", "request-schema": schema, "result-schema": text, debounce: { seconds: 8 } };
  const services = `${platform.url}/services2`;
  const body = JSON.stringify({ name: "late", tools: [index] });
  expect((await fetch(`${services}/late`, { method: "PUT", headers: json, body })).status).toBeLessThan(300);
  await open("tools/late/index");
  await view.fillIn(["textbox", "text *"], "one");
  await view.find("button", "Call").click();
  await view.page.locator('section[aria-label="Answer"] a.mono').click();
  const request = 'section[aria-label="Request"]';
  await view.shows('"text": "one"', request);
  await fetch(`${services}/late/jobs`, { method: "POST", headers: json, body: '{"text":"two"}' });
  await view.shows('"text": "two"', request);
  const given = await fetchJob(platform, "late", 60);
  expect(given).toMatchObject({ status: 200, content: { text: "two" } });
  expect(await callAbout(platform, `/results/${given.id}`, given.headers, "two")).toBe(204);
  await view.shows(/succeeded(.|\n)*Run again/, "main header");
  await view.shows('"text": "two"', request);
});

test("the platform itself: every service, workers, faults that are switched, aspects; pictures and texts of artifacts", async () => {
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const init = { method: "PUT", headers: json, body: JSON.stringify({ name: `many-${index}` }) };
      await fetch(`${platform.url}/services2/many-${index}`, init);
    }),
  );
  const aspect = { $entity: "urn:example:city.1", $schema: "urn:example:schema.city.1", name: "Bremen" };
  await fetch(`${platform.url}/aspects`, { method: "POST", headers: json, body: JSON.stringify(aspect) });
  for (const [type, body] of [
    ["image/png", png],
    ["text/plain", Buffer.from("a text of an artifact")],
  ] as const) {
    const headers = { "content-type": type, "x-name": type };
    const kept = await fetch(`${platform.url}/artifacts`, { method: "POST", headers, body });
    expect(kept.status).toBeLessThan(300);
  }
  await open("platform");
  await view.shows(/services \(6\d\)/i);
  await view.shows(/PLATFORM_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/many-0/);
  await view.find("button", /\d+ more services/.exec(await view.text())?.[0] ?? "").click();
  await view.shows("many-9");
  await view.shows("urn:example:schema.city.1");
  await view.fillIn("label.fault input", "0.25");
  // Renders the page in the middle of the typing, as each new list of services does.
  await view.page.evaluate('dispatchEvent(new Event("hashchange"))');
  await view.page.keyboard.press("Tab");
  const faults = async (): Promise<unknown> => (await fetch(`${platform.url}/faults`)).json();
  await expect.poll(faults).toMatchObject({ drop: 0.25 });
  // The others stay when one of them is changed.
  await view.fillIn("::-p-xpath((//label[@class='fault'])[2]//input)", "0.5");
  await view.page.keyboard.press("Tab");
  await expect.poll(faults).toMatchObject({ drop: 0.25, dup: 0.5 });
  await fetch(`${platform.url}/faults`, { method: "PUT", headers: json, body: '{"drop":0}' });
  await view.expectAccessible("light");
  await view.expectAccessible("dark");
  await view.page.setViewport({ width: 1440, height: 900 });
  await open("artifacts");
  await view.shows(/image\/png(.|\n)*/);
  await view.page.locator("button.wide ::-p-text(text/plain)").click();
  await view.shows("a text of an artifact", 'section[aria-label="Content"]');
  await view.page.locator("button.wide ::-p-text(image/png)").click();
  await view.page.locator("figure img").wait();
  await view.expectAccessible("dark");
});

test("a platform that goes away is waited for, and its jobs are followed again when it is back", async () => {
  const port = new URL(platform.url).port;
  await submit("survivor", join(user.root, "later"));
  await open("jobs/survivor");
  await view.shows("pending", "main");
  await platform.kill();
  await view.shows("The service cannot be reached. Waiting");
  platform = await begin(port);
  await expect.poll(() => view.text()).not.toContain("cannot be reached. Waiting");
  await view.find("button", "Cancel").click();
  await view.shows("cancelled", "main");
});

test("the page of tenon dev: its tools, a call, the job in the list, and what changed since the last commit", async () => {
  const git = (...args: readonly string[]): Buffer =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: user.root });
  git("init", "--quiet");
  git("add", "service.json");
  git("commit", "--quiet", "--message", "The contract");
  const child = spawn(
    process.execPath,
    [join(user.root, "node_modules/tenon/dist/cli/main.js"), "dev", "--port", "0"],
    {
      cwd: user.root,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  onTestFinished(async () => {
    child.kill("SIGINT");
    await once(child, "exit");
  });
  const url = await new Promise<string>((found) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const at = /console +(http:\S+)/.exec(line);
      if (at !== null) found(at[1] ?? "");
    });
  });
  writeFileSync(join(user.root, "there"), "");
  await view.page.goto(`${url}#/tools/wait`);
  await view.shows("Waits until a file is there");
  await view.fillIn(["textbox", "file *"], join(user.root, "there"));
  await view.find("button", "Call").click();
  await view.shows(/200(.|\n)*found/, 'section[aria-label="Answer"]');
  await view.find("link", "Jobs").click();
  await view.shows(/succeeded\s+wait/, ".virtual");
  await view.page.locator(".virtual a").click();
  await view.shows(/Attempt 1(.|\n)*succeeded(.|\n)*look/, ".steps");
  expect(await view.text("main")).toMatch(/Trace\s+[\da-f]{32}/);
  await view.expectAccessible("dark");
  await view.find("link", "Contract").click();
  await view.find("tab", "Changes").click();
  await view.shows("Nothing changed since the commit HEAD.");
  writeFileSync(join(user.root, "src/wait.ts"), wait.replace("file: string", "file: string, isPolite: boolean"));
  await view.shows(/1 change since the commit HEAD(.|\n)*breaking\s+wait request(.|\n)*isPolite/);
  await view.expectAccessible("light");
});
