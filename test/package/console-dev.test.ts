import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { answersFiles } from "../support/answers-project.ts";
import { hostile, hostileTexts } from "../support/hostile-console-project.ts";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleView, openConsole } from "../support/console-view.ts";
import { type PackedProject, packedProject } from "../support/packed-project.ts";
import { answer } from "../support/served-console.ts";

/** Code with spans of its own, and in a thread. */
const traced = `import { trace } from "@opentelemetry/api";
import type { JobContext } from "tenon";

const tracer = trace.getTracer("shop");

/** Reads what is in stock. @tool */
export async function stock(job: JobContext): Promise<number> {
  console.warn(new Error("late ${hostileTexts[1].replaceAll('"', "'")}"));
  return job.report.step("load", () =>
    tracer.startActiveSpan("SELECT ${hostileTexts[1].replaceAll('"', "'")}", async (span) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      span.end();
      return 3;
    }),
  );
}

/** Asks a service in a thread. @tool @thread */
export async function ask(url: string): Promise<number> {
  return tracer.startActiveSpan("asked", async (span) => {
    const { status } = await fetch(url);
    span.end();
    return status;
  });
}
`;
const files = {
  ...answersFiles,
  "src/service.ts": (answersFiles["src/service.ts"] ?? "").replace(
    'import "./answers.js";',
    'import "./answers.js";\nimport "./traced.js";',
  ),
  "src/traced.ts": traced,
};
const timeline = 'section[aria-label="Timeline"]';

let user: PackedProject;
let child: ChildProcess;
let url: string;
let browser: Browser;
let view: ConsoleView;

beforeAll(async () => {
  user = packedProject(files);
  child = spawn(process.execPath, [join(user.root, "node_modules/tenon/dist/cli/main.js"), "dev", "--port", "0"], {
    cwd: user.root,
    env: { ...process.env, OTEL_TRACES_EXPORTER: "console" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: string[] = [];
  [browser, url] = await Promise.all([
    openBrowser(),
    new Promise<string>((found, failed) => {
      child.once("exit", (code) => failed(new Error(`ended with ${code}:\n${said.join("\n")}`)));
      if (child.stderr === null) throw new TypeError("standard error is a pipe");
      createInterface({ input: child.stderr }).on("line", (line) => {
        said.push(line);
        const at = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
        if (at !== null) found(at[0]);
      });
    }),
  ]);
});
afterAll(async () => {
  await browser.close();
  const ended = once(child, "exit");
  child.kill("SIGINT");
  await ended;
  user.dispose();
});
beforeEach(async () => {
  view = await openConsole(browser);
});
afterEach(async () => {
  await view.page.close();
  expect(view.faults).toEqual([]);
});

/** Calls a tool as an MCP host does. */
async function callOverMcp(name: string, given: object): Promise<void> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: given, _meta: meta },
    }),
  });
  expect(await response.text()).toContain('"isError":true');
}

const stack = 'section[aria-label="Stack"]';

test("a job that failed over MCP: where in the source, what it logged, its request, and once more with another", async () => {
  await callOverMcp("sell", { item: "nothing" });
  await view.page.goto(`${url}/#/jobs`);
  await view.shows(
    /error\s+sell\s+MCP.*RangeError: No price for nothing.*\{"item":"nothing"\}(.|\n)*\d:\d\d:\d\d/,
    ".job-row",
  );
  await view.expectAccessible("light");
  await view.expectAccessible("dark");
  await view.page.setViewport({ width: 1440, height: 900 });
  await view.page.locator(".job-row").click();
  await view.shows(/^RangeError: No price for nothing$/, '.problems [role="alert"]');
  await view.shows("The tool failed. The service's log has the reason.", ".problems");
  await view.shows(/No price for nothing/, stack);
  await view.shows("by MCP", "main header");
  const ticks = (await view.text(`${timeline} .axis`)).split(/\n+/);
  expect(ticks).toEqual([...new Set(ticks)]);
  await view.shows(/src\/price\.ts:4:\d+ price/, stack);
  await view.shows(/> 4 \| {5}throw new RangeError\("No price for " \+ item\);/, stack);
  await view.shows(/src\/answers\.ts:\d+:\d+ sell/, stack);
  await view.shows(/\d+ calls of packages/, stack);
  expect(await view.text(stack)).not.toMatch(/node_modules| call$/m);
  const links = await view.page.$$eval(`${stack} a`, (found) => found.map((one) => one.getAttribute("href")));
  expect(links[0]).toMatch(/^vscode:\/\/file\/.*\/src\/price\.ts:4:\d+$/);
  await view.shows(/WARNING shop about to sell(.|\n)*"shelf":3/, 'section[aria-label="Log"]');
  await view.shows('"item": "nothing"', 'section[aria-label="Request"]');
  await view.expectAccessible("light");
  await view.expectAccessible("dark");
  await view.page.setViewport({ width: 1440, height: 900 });
  await view.find("link", "Edit and run again").click();
  await view.fillIn(["textbox", "item *"], "lamp");
  await view.find("button", "Call").click();
  await view.shows(/200(.|\n)*4/, answer);
});

test.each(["mcp", "mcp-2025-11-25"])("a tool that is new after a save comes into the list of %s", async (revision) => {
  await view.page.goto(`${url}/#/${revision}`);
  await view.shows(/sell/, ".side");
  const name = revision === "mcp" ? "newest" : "older";
  const added = `/** Is ${name}. @tool */\nexport function ${name}(): number {\n  return 1;\n}\n`;
  user.write({ "src/price.ts": `${user.read("src/price.ts")}\n${added}` });
  await view.shows(`Is ${name}.`, ".side");
  await view.shows("notifications/tools/list_changed", 'section[aria-label="Messages"]');
  expect(await view.text(".side")).toContain("sell");
});

test("outbound requests of a job stand on its timeline, below the step that made them", async () => {
  const other = createServer((request, response) => {
    response.writeHead(request.url?.endsWith("missing") === true ? 404 : 200).end("ok");
  });
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  try {
    await view.page.goto(`${url}/#/tools/inquire`);
    await view.fillIn(["textbox", "url *"], `${origin}/<img src=x onerror=window.ran=5>?item=hunter2`);
    await view.find("button", "Call").click();
    await view.shows(/200(.|\n)*404/, answer);
    await view.page.locator(`${answer} a.mono`).click();
    await view.shows(/Attempt 1(.|\n)*first(.|\n)*200 GET (.|\n)*404 GET /, timeline);
    const asked = `${origin}/%3Cimg%20src=x%20onerror=window.ran=5%3E?item=…`;
    await expect.poll(rowsOfTimeline).toEqual([
      ["done attempt", 0, expect.stringContaining("Attempt 1"), expect.stringContaining("succeeded")],
      ["done", 1, expect.stringContaining("first"), ""],
      ["done request", 2, expect.stringMatching(/^✓ 200 GET …\S+\?item=… done$/), asked],
      ["failed request", 1, expect.stringMatching(/^✕ 404 GET …\S+\?item=… failed$/), asked],
    ]);
    expect(await view.text("body")).not.toContain("hunter2/missing");
    await view.expectAccessible("light");
    await view.expectAccessible("dark");
  } finally {
    other.close();
  }
});

/** Rows of the timeline: class, depth, name, message. */
function rowsOfTimeline(): Promise<readonly unknown[]> {
  return view.page.$$eval(".steps li:not(.axis)", (found) =>
    found.map((one) => [
      one.className.trim(),
      parseInt(one.getAttribute("style")?.replaceAll(/\D/g, "") ?? "", 10),
      one.querySelector(".step-name")?.textContent,
      one.querySelector(".message")?.textContent,
    ]),
  );
}

test("spans of the author's code stand on the timeline, below the step that they are in", async () => {
  await view.page.goto(`${url}/#/tools/stock`);
  await view.find("button", "Call").click();
  await view.shows(/200(.|\n)*3/, answer);
  await view.page.locator(`${answer} a.mono`).click();
  await view.shows("SELECT", timeline);
  await view.shows(/step load began(.|\n)*job The job succeeded/, 'section[aria-label="Events"]');
  const log = 'section[aria-label="Log"]';
  await view.shows(/WARNING console Error: late (.|\n)*src\/traced\.ts:8:\d+ stock(.|\n)*\d+ calls of packages/, log);
  const link = await view.page.$eval(`${log} a`, (found) => found.getAttribute("href"));
  expect(link).toMatch(/^vscode:\/\/file\/.*\/src\/traced\.ts:8:\d+$/);
  // Spans come with the notes of the job, steps with its events.
  await expect.poll(rowsOfTimeline).toEqual([
    ["done attempt", 0, expect.stringContaining("Attempt 1"), expect.stringContaining("succeeded")],
    ["done", 1, expect.stringContaining("load"), ""],
    ["done span", 2, "✓ SELECT <img src=x onerror='window.ran=2'> done", ""],
  ]);
  expect(await view.page.evaluate("[window.ran ?? 0, document.querySelectorAll('main img').length]")).toEqual([0, 0]);
  await view.expectAccessible("light");
  await view.expectAccessible("dark");
});

test("requests and spans of a job in a thread stand there, too, and the job is run again", async () => {
  await view.page.goto(`${url}/#/tools/ask`);
  await view.fillIn(["textbox", "url *"], `${url}/healthz?key=hunter2`);
  await view.find("button", "Call").click();
  await view.shows(/200(.|\n)*200/, answer);
  await view.page.locator(`${answer} a.mono`).click();
  await view.shows(/asked(.|\n)*200 GET \/healthz/, timeline);
  await expect.poll(rowsOfTimeline).toEqual([
    ["done attempt", 0, expect.stringContaining("Attempt 1"), expect.stringContaining("succeeded")],
    ["done span", 1, "✓ asked done", ""],
    ["done request", 2, "✓ 200 GET /healthz?key=[redacted] done", `${url}/healthz?key=[redacted]`],
  ]);
  await view.page.reload();
  await view.shows(/key=\[redacted\](.|\n)*Secrets are not shown/, 'section[aria-label="Request"]');
  await view.find("button", "Run again").click();
  await expect
    .poll(async () => (await (await fetch(`${url}/jobs?tool=ask`)).json()) as unknown)
    .toMatchObject({
      items: [{ status: "succeeded", request: expect.not.stringContaining("hunter2") }, { status: "succeeded" }],
    });
  const [, again = ""] = /jobs\/(.+)$/.exec(view.page.url()) ?? [];
  expect(await (await fetch(`${url}/jobs/${again}/request`)).text()).toContain("key=hunter2");
});

test("a call of the page that fails has the same beside its answer", async () => {
  await view.page.goto(`${url}/#/tools/sell`);
  await view.fillIn(["textbox", "item *"], "nothing");
  await view.find("button", "Call").click();
  await view.shows(/500(.|\n)*src\/price\.ts:4(.|\n)*about to sell/, answer);
  await view.find("tab", "Copy as").click();
  await expect.poll(() => view.text("form")).toContain('* @example {"item":"nothing"}');
});

test("nothing of an error, of its log lines or of a request runs", async () => {
  await callOverMcp("sell", { item: `nothing ${hostile} */` });
  await view.page.goto(`${url}/#/jobs`);
  await view.page.locator(".job-row").click();
  await view.shows(hostileTexts[0], stack);
  await view.shows(hostileTexts[0], 'section[aria-label="Log"]');
  await view.shows("window.ran=3", 'section[aria-label="Request"]');
  const harm = await view.page.evaluate(`({
    ran: window.ran ?? 0,
    links: [...document.querySelectorAll("a")].map((link) => link.href).filter((href) => !/^(https?|vscode):/.test(href)),
    made: document.querySelectorAll("main :is(script, style, img, svg)").length,
    display: getComputedStyle(document.body).display,
  })`);
  expect(harm).toEqual({ ran: 0, links: [], made: 0, display: "block" });
  await view.page.evaluate(
    "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }",
  );
  await view.find("button", "Copy as @example").click();
  const example = String(await view.page.evaluate("window.copied"));
  expect(example).not.toContain("*/");
  expect(JSON.parse(example.replace(" * @example ", ""))).toEqual({ item: `nothing ${hostile} */` });
});

test("the request of a job becomes an example in the source of its tool, and never for a page of another origin", async () => {
  await callOverMcp("sell", { item: "nothing @tool */" });
  await view.page.goto(`${url}/#/jobs`);
  await view.page.locator(".job-row").click();
  await view.shows(/src\/answers\.ts:\d+/, "main header");
  const links = await view.page.$$eval("main header a", (found) => found.map((one) => one.getAttribute("href")));
  expect(links).toContainEqual(expect.stringMatching(/^vscode:\/\/file\/.*\/src\/answers\.ts:\d+:1$/));
  const id = new URL(view.page.url()).hash.replace("#/jobs/", "");
  const foreign = await fetch(`${url}/jobs/${id}/example`, {
    method: "POST",
    headers: { origin: "https://evil.example", "content-type": "application/json" },
  });
  expect(foreign.status).toBe(403);
  const before = user.read("src/answers.ts");
  expect(before).not.toContain("@example");
  await view.find("button", "Save as @example in the source").click();
  await view.shows(/Saved at src\/answers\.ts:\d+\./, 'section[aria-label="Request"]');
  const example = String.raw`@example {"item":"nothing \u0040tool *\/"}`;
  expect(user.read("src/answers.ts")).toBe(before.replace("/** Sells. @tool */", `/** Sells. @tool ${example} */`));
  await view.find("button", "Save as @example in the source").click();
  await view.shows(/has this example already|has changed since/, 'section[aria-label="Request"]');
  await view.expectAccessible("light");
  // The build that follows has it.
  await expect.poll(async () => (await fetch(`${url}/service.json`)).text()).toContain(String.raw`nothing @tool */`);
});

test("a request that its tool refuses is not offered as an example, and not saved as one", async () => {
  const headers = { "content-type": "application/json" };
  const refused = await fetch(`${url}/tool/sell`, { method: "POST", headers, body: '{"item":7}' });
  expect(refused.status).toBe(422);
  const id = refused.headers.get("job-id")?.replace("urn:platform:job:", "") ?? "";
  await view.page.goto(`${url}/#/jobs/${id}`);
  await view.shows(/"item": 7/, 'section[aria-label="Request"]');
  await view.shows("validation", 'section[aria-label="Error"]');
  const buttons = await view.page.$$eval("main button", (found) => found.map((one) => one.textContent));
  expect(buttons.join()).not.toContain("@example");
  const saved = await fetch(`${url}/jobs/${id}/example`, { method: "POST", headers });
  expect([saved.status, await saved.text()]).toEqual([400, expect.stringContaining("The tool refuses this request")]);
});

test("a save that does not build stands at the top with its place, until it does", async () => {
  const before = user.read("src/price.ts");
  await view.page.goto(`${url}/#/tools`);
  user.write({
    "src/price.ts":
      before +
      "\n/** Is broken. @tool @example 7 */\nexport function mend(item: string): string {\n  return item;\n}\n",
  });
  await view.shows(/not served.*src\/price\.ts:\d+:\d+ +TN113 /, "details.offline summary");
  await view.expectAccessible("light");
  user.write({ "src/price.ts": before });
  await expect.poll(() => view.page.$$eval("details.offline", (found) => found.length)).toBe(0);
});

test("a job of a schedule is listed with its request, run again and saved as an example", async () => {
  const before = user.read("src/price.ts");
  const sweep = `
/** Sweeps. @tool @schedule "* * * * * *" {"account": "house"} */
export function sweep(account: string): string {
  if (account === "") throw new RangeError("nothing to sweep");
  return account + " is swept";
}
`;
  user.write({ "src/price.ts": before + sweep });
  const first = async (): Promise<{ readonly id?: string } | undefined> => {
    const list = (await (await fetch(`${url}/jobs?tool=sweep&status=succeeded`)).json()) as { items: { id: string }[] };
    return list.items.at(-1);
  };
  await expect.poll(first).toMatchObject({ origin: "schedule", request: '{"account":"house"}' });
  const id = (await first())?.id?.replace("urn:platform:job:", "") ?? "";
  await view.page.goto(`${url}/#/jobs/${id}`);
  await view.shows("by schedule", "main header");
  await view.shows('"account": "house"', 'section[aria-label="Request"]');
  await view.find("button", "Save as @example in the source").click();
  await view.shows(/Saved at src\/price\.ts:\d+\./, 'section[aria-label="Request"]');
  expect(user.read("src/price.ts")).toContain('@example {"account":"house"} */');
  await view.find("button", "Run again").click();
  await view.shows("house is swept", "main");
  await view.shows("by REST", "main header");
  user.write({ "src/price.ts": before });
});

test("a job of a tool that was removed since is listed, and shown with its result", async () => {
  const before = user.read("src/price.ts");
  user.write({
    "src/price.ts": `${before}\n/** Is brief. @tool */\nexport function brief(): number {\n  return 42;\n}\n`,
  });
  const call = async (): Promise<number> => (await fetch(`${url}/tool/brief`, { method: "POST" })).status;
  await expect.poll(call).toBe(200);
  user.write({ "src/price.ts": before });
  await expect.poll(call).toBe(404);
  await view.page.goto(`${url}/#/jobs`);
  await view.shows(/brief/, ".job-row");
  await view.page.locator(".job-row").click();
  await view.shows("42", 'section[aria-label="Result"]');
});
