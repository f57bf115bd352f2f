import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { consoleFiles } from "../support/console-project.ts";
import { makeJobs } from "../support/make-jobs.ts";
import { serve } from "../support/packed-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";
import { serveTokenIssuer } from "../support/token-issuer.ts";

const ui = serveConsole(consoleFiles);

test("a form made from the schema: its first request is valid, and problems stand at their fields", async () => {
  await ui.open("tools/plan");
  await ui.view.shows("Make a plan");
  await ui.press("Call");
  await ui.view.shows("200", answer);
  await ui.fill("textbox", "title *", "ab");
  await ui.fill("textbox", "count *", "101");
  await ui.view.fillIn(["combobox", "Type of /shape"], "1");
  await ui.fill("textbox", "radius *", "2.5");
  await ui.press("Call again");
  await ui.view.shows("422", answer);
  await ui.view.shows(/count(.|\n)*Expected integer from 0 to 100, got 101/, "form");
  await ui.view.shows(/\/title/, ".problems");
  await ui.fill("textbox", "title *", "Summer");
  await ui.fill("textbox", "count *", "7");
  await ui.press("+ item");
  await expect.poll(() => ui.view.page.evaluate("document.activeElement.labels?.[0].innerText")).toBe("Item 1");
  await ui.fill("textbox", "Item 1", "Ann");
  await ui.press("+ prices");
  for (const key of ["Bob", "Ann"]) {
    await ui.fill("textbox", "New key of /prices", key);
    await ui.view.page.keyboard.press("Enter");
    await ui.fill("textbox", key, "2.5");
  }
  await ui.press("Leave out Bob");
  await ui.press("Call again");
  await ui.view.shows(/Summer Ann2\.5/, answer);
  const picker = 'input[type="datetime-local"]';
  await ui.view.page.evaluate(`{
    const input = document.querySelector(${JSON.stringify(picker)});
    input.value = "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }`);
  await expect.poll(() => ui.view.page.$$eval(picker, (found) => found.length)).toBe(1);
  await ui.view.find("tab", "JSON").click();
  const request = JSON.parse(
    await ui.view.page.$eval("textarea.json", (area) => (area as unknown as { value: string }).value),
  );
  expect(request).toMatchObject({ title: "Summer", count: 7, shape: { kind: "circle", radius: 2.5 }, people: ["Ann"] });
  expect(request.prices).toEqual({ Ann: 2.5 });
  await ui.view.find("tab", "Copy as").click();
  await ui.view.shows(/curl '.*\/tool\/plan'(.|\n)*tenon call plan(.|\n)*tools\/call/, "form");
});

test("a slow call: its steps as they happen, its job in the list and on a page of its own, the result at its end", async () => {
  const file = join(ui.user.root, "there");
  await ui.open("tools/wait");
  await ui.fill("textbox", "file *", file);
  await ui.press("Call");
  await ui.view.shows(/executing(.|\n)*look(.|\n)*Looking for the file/, answer);
  const link = await ui.view.text(`${answer} a.mono`);
  await ui.view.page.$eval(`${answer} a.mono`, (link) => (link as unknown as { click(): void }).click());
  await ui.view.shows(/wait(.|\n)*executing(.|\n)*look/, "main");
  writeFileSync(file, "");
  await ui.view.shows(/succeeded(.|\n)*found/, "main");
  await ui.view.shows(
    /step\s+look began: Looking for the file(.|\n)*job\s+The job succeeded/,
    'section[aria-label="Events"]',
  );
  await ui.view.find("link", "Jobs").click();
  await expect.poll(() => ui.view.text(".virtual")).toMatch(/succeeded\s+wait/);
  expect(link).toBe(`job ${await ui.view.text(".job-row .id")}`);
});

test("a cancelled job says so", async () => {
  await ui.open("tools/wait");
  await ui.fill("textbox", "file *", join(ui.user.root, "never"));
  await ui.press("Call");
  await ui.view.shows(/executing(.|\n)*look/, answer);
  await ui.press("Cancel");
  await ui.view.shows("409", answer);
  await expect.poll(() => ui.view.text(answer)).toContain("cancelled");
  await ui.view.shows("What it did before is not undone. Call again to start a new job.", answer);
  await ui.view.shows(/–\s+look\s+stopped/, `${answer} .steps`);
  await ui.press("Call again");
  await ui.view.shows(/executing(.|\n)*look/, answer);
  await ui.view.page.locator(`${answer} a.mono`).click();
  await ui.view.shows("Attempt 1", ".steps");
  await ui.press("Cancel");
  await ui.view.shows(/–\s+Attempt 1(.|\n)*–\s+look\s+stopped/, ".steps");
  expect(await ui.view.text("main")).not.toContain("asked to stop");
  // A second press of Enter on a button that is gone runs nothing.
  expect(await ui.view.page.evaluate("document.activeElement.matches('button')")).toBe(false);
});

test("back from the page of a job, its row in the list has the focus", async () => {
  await makeJobs(ui.served.url, "many2", 3);
  const first = "many2-1";
  const row = `a.job-row[href$="${first}"]`;
  const focused = (): Promise<unknown> => ui.view.page.evaluate("document.activeElement.getAttribute('href')");
  await ui.open("jobs");
  await ui.view.page.locator(row).wait();
  expect(await focused()).toBe(null);
  await ui.view.page.focus(row);
  await ui.view.page.keyboard.press("Enter");
  await ui.view.shows(/timeline/i, "main");
  await ui.view.page.focus("a.back");
  await ui.view.page.keyboard.press("Enter");
  await expect.poll(focused).toBe(`#/jobs/${first}`);
  await ui.view.page.keyboard.press("Enter");
  await ui.view.shows(/timeline/i, "main");
  await ui.view.page.goBack();
  await expect.poll(focused).toBe(`#/jobs/${first}`);
  // The focus stays with somebody who goes there from elsewhere.
  await ui.view.page.keyboard.press("Enter");
  await ui.view.shows(/timeline/i, "main");
  await ui.view.page.focus('nav a[href="#/jobs"]');
  await ui.view.page.keyboard.press("Enter");
  await ui.view.page.locator(row).wait();
  expect(await focused()).toBe("#/jobs");
});

test("a page below a path of an application names the whole path of a tool", async () => {
  const proxy = createServer(({ url = "" }, response) => {
    void fetch(ui.served.url + url.replace(/^\/api/, "")).then(async (answer) => {
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.text());
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  try {
    const { port } = proxy.address() as AddressInfo;
    await ui.view.page.goto(`http://127.0.0.1:${port}/api/docs#/tools/plan`);
    await expect.poll(() => ui.view.text(".route")).toMatch(/^POST\s+\/api\/tool\/plan$/m);
  } finally {
    await ui.view.page.goto("about:blank");
    proxy.closeAllConnections();
    proxy.close();
  }
});

test("hundreds of tools are searched, and the contract says what a host sees", async () => {
  await ui.open("tools");
  await expect.poll(() => ui.view.page.$$eval(".tool-list a", (links) => links.length)).toBe(206);
  await ui.fill("searchbox", "Search tools", "which tool can do sounds");
  await ui.view.shows(/picture\s+picture\s+may return sound · Draws one dot\./, "nav.side");
  await ui.fill("searchbox", "Search tools", "number 123 of");
  await expect.poll(() => ui.view.page.$$eval(".tool-list a", (links) => links.length)).toBe(1);
  await ui.view.find("link", "many123 Number 123 of many.").click();
  await ui.press("Call");
  await ui.view.shows(/200(.|\n)*123/, answer);
  await ui.view.find("link", "Contract").click();
  await ui.view.shows(/urn:platform:schema.service.2/, "main");
  expect(await ui.view.text('[role="tablist"]')).toMatch(/^Definition\s+MCP\s/);
  const directions =
    "Array.from(document.querySelectorAll('main :is(.key, .value)'), (one) => getComputedStyle(one).unicodeBidi)";
  expect(new Set((await ui.view.page.evaluate(directions)) as string[])).toEqual(new Set(["isolate"]));
  await ui.view.find("tab", "MCP").click();
  await ui.view.shows(
    /206 tools take about [\d,]+ tokens of a model.s context; the instructions take [1-9]\d+\./,
    "main",
  );
  await ui.view.find("tab", "Hosts").click();
  await ui.view.shows(/claude mcp add --transport http prime-numbers http:.*\/mcp/, "main");
});

test("ten thousand jobs: few of them are elements, and the list goes on to its end", async () => {
  await makeJobs(ui.served.url, "many1", 10_000);
  await ui.open("jobs");
  await ui.view.shows("many1", ".virtual");
  const size = (): Promise<number> =>
    ui.view.page.$eval(".virtual li", (row) => Number(row.getAttribute("aria-setsize")));
  await expect
    .poll(async () => {
      await ui.view.page.evaluate(
        "(() => { const list = document.querySelector('.virtual'); list.scrollTop = list.scrollHeight; })()",
      );
      return size();
    })
    .toBeGreaterThanOrEqual(9900);
  expect(await ui.view.page.$$eval(".virtual li", (rows) => rows.length)).toBeLessThan(100);
});

test("a service that goes away is waited for, and the page goes on when it is back", async () => {
  const port = new URL(ui.served.url).port;
  await ui.open("tools/isPrime");
  await ui.view.shows("Tests whether a number is prime");
  await ui.served.stop();
  await ui.press("Call");
  await ui.view.shows("The service cannot be reached. Waiting");
  // Its script was not asked for before.
  await ui.view.find("link", "Jobs").click();
  await ui.view.shows("The service cannot be reached.", "main");
  ui.served = await ui.start("--port", port);
  await expect.poll(() => ui.view.text()).not.toContain("cannot be reached. Waiting");
  await ui.view.shows("There are no jobs yet", "main");
  await ui.open("tools/isPrime");
  await ui.view.page.locator("button.primary").click();
  await ui.view.shows(/200(.|\n)*isPrime/, answer);
});

test("the script of a view is one of the page's policy, and a page of another build says what to do", async () => {
  const page = await fetch(`${ui.served.url}/docs`);
  const policy = page.headers.get("content-security-policy") ?? "";
  const names = new Set((await page.text()).match(/(?<=")[\da-f]{12}(?=")/g));
  expect(names.size).toBeGreaterThanOrEqual(4);
  for (const name of names) {
    const script = await fetch(`${ui.served.url}/docs?script=${name}`);
    const hash = createHash("sha256")
      .update(await script.text())
      .digest();
    expect(policy).toContain(`'sha256-${hash.toString("base64")}'`);
    expect(hash.toString("hex").slice(0, 12)).toBe(name);
  }
  expect((await fetch(`${ui.served.url}/docs?script=other`)).status).toBe(404);
  await ui.view.page.setRequestInterception(true);
  const changes = ["gone", "globalThis.tenonScript = () => ({ JobsPage: () => 'ran' })"];
  ui.view.page.on("request", (request) => {
    if (!request.url().includes("?script=")) return void request.continue();
    const [body = ""] = changes;
    void request.respond({ status: body === "gone" ? 404 : 200, contentType: "text/javascript", body });
  });
  await ui.open("jobs");
  await ui.view.shows("This page is older than the service. Reload it.", "main");
  changes.shift();
  await ui.view.page.reload();
  await ui.view.shows("This page is older than the service. Reload it.", "main");
  expect(ui.view.faults.splice(0).join(" ")).toMatch(/Content Security Policy/);
});

test("with access tokens the page opens, shows nothing of the service, and keeps a token only in memory", async () => {
  const issuer = await serveTokenIssuer();
  const env = { TENON_AUTH_ISSUER: issuer.url, TENON_AUTH_AUDIENCE: "https://tools.example.org/mcp" };
  const guarded = await serve(join(ui.user.root, "dist/service.mjs"), ["--with-mcp"], env);
  try {
    await ui.view.page.goto(`${guarded.url}/docs#/jobs`);
    await ui.view.shows(/An access token is needed(.|\n)*Issuer/);
    expect(await ui.view.page.content()).not.toContain("isPrime");
    await ui.view.fillIn("input[type=password]", await issuer.tokens.token({ sub: "ann" }));
    await ui.press("Use the token");
    await ui.view.shows("There are no jobs yet");
    await ui.view.page.goto(`${guarded.url}/docs#/tools/isPrime`);
    await ui.view.shows("Tests whether a number is prime");
    await ui.press("Call");
    await ui.view.shows("200", answer);
    const listOf = async (sub: string): Promise<number> => {
      const headers = { authorization: `Bearer ${await issuer.tokens.token({ sub })}` };
      return ((await (await fetch(`${guarded.url}/jobs`, { headers })).json()) as { items: unknown[] }).items.length;
    };
    expect([await listOf("ann"), await listOf("bob")]).toEqual([1, 0]);
    expect(await ui.view.page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
    await ui.view.page.reload();
    await ui.view.shows("An access token is needed");
  } finally {
    await guarded.stop();
    issuer.stop();
  }
});

test("one setting turns it off, and the start says where it is", async () => {
  expect(ui.served.stderr()).toContain(`, console at /docs, listens on ${ui.served.url}`);
  const off = await serve(join(ui.user.root, "dist/service.mjs"), [], { TENON_CONSOLE: "false" });
  expect([(await fetch(`${off.url}/docs`)).status, off.stderr().includes("console")]).toEqual([404, false]);
  await off.stop();
});

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>`;

test("each view loads little script: the first one, its own, and that of an answer with a table, over MCP with a picture in it and contents", async () => {
  const html = await (await fetch(`${ui.served.url}/docs`)).text();
  const inline = html.split('<script type="module">', 2)[1]?.split("</script>", 1)[0] ?? "";
  const { page } = ui.view;
  await page.setCacheEnabled(false);
  const later = new Set<string>();
  page.on("response", (response) => {
    if (response.url().includes("?script=")) later.add(response.url());
  });
  for (const view of ["tools/plan", "jobs", "jobs/none", "mcp/Tools/plan", "mcp-2025-11-25/Tools/plan", "contract"]) {
    await page.goto("about:blank");
    later.clear();
    await ui.open(view);
    await page.locator("main h1, main .notice").wait();
    // A notice may stand there before the view has its script.
    await expect.poll(() => later.size).toBeGreaterThan(0);
    if (view.endsWith("plan")) {
      await ui.press("+ item");
      if (view.startsWith("mcp")) await ui.fill("textbox", "title *", drawing);
      await ui.press("Call");
      await ui.view.shows("1 row", answer);
      if (view.startsWith("mcp")) {
        await page.locator(`${answer} td img`).wait();
        await ui.view.find("tab", "Contents").click();
        await page.locator(`${answer} .blocks`).wait();
      }
    }
    // Asked for anew: the browser forgets a body when its page is left.
    const texts = await Promise.all(Array.from(later, async (url) => (await fetch(url)).text()));
    const sum = texts.reduce((bytes, text) => bytes + text.length, inline.length);
    expect(sum).toBeGreaterThan(inline.length);
    expect([view, sum]).toEqual([view, Math.min(sum, 66_000)]);
  }
  expect(inline.length).toBeGreaterThan(20_000);
});
