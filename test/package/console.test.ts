import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { consoleFiles, evil } from "../support/console-project.ts";
import { type PackedProject, packedProject, serve, type Served } from "../support/packed-project.ts";
import { serveTokenIssuer } from "../support/token-issuer.ts";

let user: PackedProject;
let browser: Browser;
let served: Served;
let page: Page;
/** Errors of scripts, refusals of the page's policy, and requests to other hosts. */
let faults: string[];

beforeAll(async () => {
  user = packedProject(consoleFiles);
  expect(user.tenon("build")).toMatchObject({ status: 0 });
  [browser, served] = await Promise.all([openBrowser(), serve(join(user.root, "dist/service.mjs"), ["--with-mcp"])]);
});
afterAll(async () => {
  await browser.close();
  await served.stop();
  user.dispose();
});
beforeEach(async () => {
  page = await openPage();
});
afterEach(async () => {
  await page.close();
  expect(faults).toEqual([]);
});

async function openPage(): Promise<Page> {
  const made = await browser.newPage();
  faults = [];
  made.on("pageerror", (error) => faults.push(String(error)));
  made.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  made.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && !origin.startsWith("http://127.0.0.1:")) faults.push(request.url());
  });
  await made.setViewport({ width: 1440, height: 900 });
  return made;
}

const open = (view: string, url = served.url): Promise<unknown> => page.goto(`${url}/docs#/${view}`);
/** An element by its role and name, as a screen reader finds it. */
const find = (role: string, name: string): ReturnType<Page["locator"]> =>
  page.locator(`::-p-aria([name="${name}"][role="${role}"])`);
const text = (selector = "body"): Promise<string> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`) as Promise<string>;
const shows = (part: string | RegExp, selector?: string): Promise<void> =>
  expect.poll(() => text(selector)).toMatch(part);
const call = (): Promise<void> => find("button", "Call").click();
const answer = 'section[aria-label="Answer"]';

async function fill(role: string, name: string, value: string): Promise<void> {
  await find(role, name).fill(value);
}

/** Findings of axe. */
async function violations(): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: readonly { id: string; nodes: readonly { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

test("a form made from the schema: its first request is valid, and problems stand at their fields", async () => {
  await open("tools/plan");
  await shows("Make a plan");
  await call();
  await shows("200", answer);
  await fill("textbox", "title *", "ab");
  await fill("textbox", "count *", "101");
  await find("combobox", "Type of /shape").fill("1");
  await fill("textbox", "radius *", "2.5");
  await find("button", "Call again").click();
  await shows("422", answer);
  await shows(/count(.|\n)*Expected integer from 0 to 100, got 101/, "form");
  await shows(/\/title/, ".problems");
  await fill("textbox", "title *", "Summer");
  await fill("textbox", "count *", "7");
  await find("button", "+ item").click();
  await fill("textbox", "Item 1", "Ann");
  await find("button", "+ prices").click();
  for (const key of ["Bob", "Ann"]) {
    await fill("textbox", "New key of /prices", key);
    await page.keyboard.press("Enter");
    await fill("textbox", key, "2.5");
  }
  await find("button", "Leave out Bob").click();
  await find("button", "Call again").click();
  await shows(/Summer Ann2\.5/, answer);
  await find("tab", "JSON").click();
  const request = JSON.parse(await page.$eval("textarea.json", (area) => (area as unknown as { value: string }).value));
  expect(request).toMatchObject({ title: "Summer", count: 7, shape: { kind: "circle", radius: 2.5 }, people: ["Ann"] });
  expect(request.prices).toEqual({ Ann: 2.5 });
  await find("tab", "Copy as").click();
  await shows(/curl '.*\/tool\/plan'(.|\n)*tenon call plan(.|\n)*tools\/call/, "form");
});

test("a slow call: its steps as they happen, its job in the list and on a page of its own, the result at its end", async () => {
  const file = join(user.root, "there");
  await open("tools/wait");
  await fill("textbox", "file *", file);
  await call();
  await shows(/executing(.|\n)*look(.|\n)*Looking for the file/, answer);
  await page.$eval(`${answer} a.mono`, (link) => (link as unknown as { click(): void }).click());
  await shows(/wait(.|\n)*executing(.|\n)*look/, "main");
  writeFileSync(file, "");
  await shows(/succeeded(.|\n)*found/, "main");
  await shows(/platform:job:|step|finish/, 'section[aria-label="Events"]');
  await find("link", "Jobs").click();
  await expect.poll(() => text(".virtual")).toMatch(/succeeded\s+wait/);
});

test("a cancelled job says so", async () => {
  await open("tools/wait");
  await fill("textbox", "file *", join(user.root, "never"));
  await call();
  await shows(/executing(.|\n)*look/, answer);
  await find("button", "Cancel").click();
  await shows("409", answer);
  expect(await text(answer)).toContain("cancelled");
});

test("a picture is shown, and nothing of a description, a value or a page runs", async () => {
  await open("tools/picture");
  await call();
  await page.locator(`${answer} img`).wait();
  await expect
    .poll(() => page.$eval(`${answer} img`, (img) => (img as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(1);
  await open("tools/evil");
  await shows("<script>window.ran=1</script>", "article header");
  await fill("textbox", "size *", "1000000");
  await call();
  await shows("200", answer);
  await shows(evil.slice(0, 20), answer);
  await open("tools/page");
  await call();
  await shows("<script>", answer);
  expect(await page.evaluate("[window.ran ?? 0, document.querySelectorAll('a[href^=javascript]').length]")).toEqual([
    0, 0,
  ]);
});

test("hundreds of tools are searched, and the contract says what a host sees", async () => {
  await open("tools");
  await expect.poll(() => page.$$eval(".tool-list a", (links) => links.length)).toBe(206);
  await fill("searchbox", "Search tools", "number 123 of");
  await expect.poll(() => page.$$eval(".tool-list a", (links) => links.length)).toBe(1);
  await find("link", "many123 Number 123 of many.").click();
  await call();
  await shows(/200(.|\n)*123/, answer);
  await find("link", "Contract").click();
  await shows(/urn:platform:schema.service.2/, "main");
  await find("tab", "MCP").click();
  await shows(/206 tools take about [\d,]+ tokens/, "main");
  await find("tab", "Hosts").click();
  await shows(/claude mcp add --transport http prime-numbers http:.*\/mcp/, "main");
});

/** Calls a tool so often, each time with a name of its own, over one connection. */
async function makeJobs(count: number): Promise<void> {
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  let answers = 0;
  const all = new Promise<void>((resolve) => {
    let rest = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      const parts = (rest + chunk).split("HTTP/1.1 200 OK");
      answers += parts.length - 1;
      rest = (parts.at(-1) ?? "").slice(-14);
      if (answers >= count) resolve();
    });
  });
  for (let index = 0; index < count; index++) {
    socket.write(`POST /tool/many1 HTTP/1.1\r\nHost: localhost\r\njob-id: many-${index}\r\nContent-Length: 0\r\n\r\n`);
  }
  await all;
  socket.destroy();
}

test("ten thousand jobs: few of them are elements, and the list goes on to its end", async () => {
  await makeJobs(10_000);
  await open("jobs");
  await shows("many1", ".virtual");
  const size = (): Promise<number> => page.$eval(".virtual li", (row) => Number(row.getAttribute("aria-setsize")));
  await expect
    .poll(async () => {
      await page.evaluate(
        "(() => { const list = document.querySelector('.virtual'); list.scrollTop = list.scrollHeight; })()",
      );
      return size();
    })
    .toBeGreaterThanOrEqual(9900);
  expect(await page.$$eval(".virtual li", (rows) => rows.length)).toBeLessThan(100);
});

test("a service that goes away is waited for, and the page goes on when it is back", async () => {
  const port = new URL(served.url).port;
  await open("tools/isPrime");
  await shows("Tests whether a number is prime");
  await served.stop();
  await find("button", "Call").click();
  await shows("The service cannot be reached. Waiting");
  served = await serve(join(user.root, "dist/service.mjs"), ["--with-mcp", "--port", port]);
  await expect.poll(() => text()).not.toContain("cannot be reached. Waiting");
  await page.$eval("button.primary", (button) => (button as unknown as { click(): void }).click());
  await shows(/200(.|\n)*isPrime/, answer);
});

test.each([
  ["tools/plan", "light"],
  ["tools/plan", "dark"],
  ["jobs", "light"],
  ["contract", "dark"],
])("%s in %s has no fault for a screen reader, and fits a phone", async (view, scheme) => {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await open(view);
  await shows(/Prime numbers(.|\n)*(many1|Copy service.json|Make a plan|Jobs)/);
  expect(await violations()).toEqual([]);
  await page.setViewport({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
});

test("the keyboard alone calls a tool", async () => {
  await open("tools/isPrime");
  await find("textbox", "number *").click();
  await page.keyboard.press("End");
  await page.keyboard.type("7");
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await shows(/200(.|\n)*isPrime/, answer);
  await page.focus('[role="tab"]');
  await page.keyboard.press("ArrowRight");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("JSON");
});

test("with access tokens the page opens, shows nothing of the service, and keeps a token only in memory", async () => {
  const issuer = await serveTokenIssuer();
  const env = { TENON_AUTH_ISSUER: issuer.url, TENON_AUTH_AUDIENCE: "https://tools.example.org/mcp" };
  const guarded = await serve(join(user.root, "dist/service.mjs"), ["--with-mcp"], env);
  try {
    await page.goto(`${guarded.url}/docs#/jobs`);
    await shows(/An access token is needed(.|\n)*Issuer/);
    expect(await page.content()).not.toContain("isPrime");
    await page.locator("input[type=password]").fill(await issuer.tokens.token({ sub: "ann" }));
    await find("button", "Use the token").click();
    await shows("There are no jobs yet");
    await page.goto(`${guarded.url}/docs#/tools/isPrime`);
    await shows("Tests whether a number is prime");
    await call();
    await shows("200", answer);
    const listOf = async (sub: string): Promise<number> => {
      const headers = { authorization: `Bearer ${await issuer.tokens.token({ sub })}` };
      return ((await (await fetch(`${guarded.url}/jobs`, { headers })).json()) as { items: unknown[] }).items.length;
    };
    expect([await listOf("ann"), await listOf("bob")]).toEqual([1, 0]);
    expect(await page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
    await page.reload();
    await shows("An access token is needed");
  } finally {
    await guarded.stop();
    issuer.stop();
  }
});

test("one setting turns it off, and the start says where it is", async () => {
  expect(served.stderr()).toContain(`, console at /docs, listens on ${served.url}`);
  const off = await serve(join(user.root, "dist/service.mjs"), [], { TENON_CONSOLE: "false" });
  expect([(await fetch(`${off.url}/docs`)).status, off.stderr().includes("console")]).toEqual([404, false]);
  await off.stop();
});

test("the scripts are small", () => {
  for (const file of ["runtime/fronts/rest/console-texts.js", "cli/local-platform/routes/console-texts.js"]) {
    const module = readFileSync(join(user.root, "node_modules/tenon/dist", file), "utf8");
    const { script } = JSON.parse(module.slice(module.indexOf("{"), module.lastIndexOf("}") + 1)) as { script: string };
    expect(script.length).toBeGreaterThan(20_000);
    expect(script.length).toBeLessThanOrEqual(60_000);
  }
});
