import { join } from "node:path";
import { expect, test } from "vitest";
import { answersFiles } from "../support/answers-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const ui = serveConsole(answersFiles);

async function expectAccessible(): Promise<void> {
  await ui.view.expectAccessible("light");
  await ui.view.expectAccessible("dark");
  await ui.view.page.setViewport({ width: 1440, height: 900 });
}

test("the first page has the service's description, and deprecated tools are marked with what to call instead", async () => {
  await ui.open("tools");
  await ui.view.shows("Tests numbers.", "nav.side");
  await ui.view.shows("Tests numbers.", '.tool ~ section[aria-label="What models read first"] .markdown');
  await ui.view.shows("deprecated · Ships as before.", "nav.side");
  await expectAccessible();
  await ui.view.find("link", "send deprecated · Ships as before.").click();
  await ui.view.shows(/Deprecated\s+Call ship\./, "article header");
  await ui.view.shows("ship", ".notice strong + .markdown strong");
  await ui.view.shows("destructive", "article header");
  await expectAccessible();
  await ui.open("tools/ship");
  await ui.view.shows("read only", "article header");
  expect((await ui.view.text("article")).match(/Position of its aim\./g)).toHaveLength(1);
});

test("tools stand in the groups that their author named, the others behind them", async () => {
  await ui.open("tools");
  const pictures = "Pictures <img src=x onerror=window.ran=9>";
  await ui.view.shows(
    /Pictures <img src=x onerror=window\.ran=9>\s+drawing(.|\n)*gallery(.|\n)*Other tools\s+book/,
    "nav.side",
  );
  expect(await ui.view.page.$$(`ul[aria-label="${pictures}"] li`)).toHaveLength(2);
  expect(await ui.view.page.evaluate("[window.ran, document.querySelectorAll('nav img').length]")).toEqual([null, 0]);
  await expectAccessible();
});

/** True where an element is on the screen from its top to its bottom, and from its left to its right. */
function isOnScreen(selector: string): Promise<unknown> {
  return ui.view.page.evaluate(`(() => {
    const { top, bottom, left, right } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  })()`);
}

test.each(["tools/ship", "mcp/Tools/ship"])("the list of %s shows the open one", async (path) => {
  await ui.view.page.setViewport({ width: 1280, height: 400 });
  await ui.open(path);
  await ui.view.shows("ship", "article h1");
  await expect.poll(() => isOnScreen(".tool-list a[aria-current]")).toBe(true);
  expect(await ui.view.page.evaluate("scrollY")).toBe(0);
});

test("a narrow window shows the name of the open view", async () => {
  await ui.view.page.setViewport({ width: 280, height: 740 });
  await ui.open("contract");
  await ui.view.shows("Prime numbers", "h1");
  await expect.poll(() => isOnScreen("nav a[aria-current]")).toBe(true);
});

test("lists of a definition have the names of their items", async () => {
  await ui.open("contract");
  await expect.poll(() => ui.view.text("main")).toMatch(/\d ship/);
});

test("the list of jobs goes on behind pages on which no job is like its filter", async () => {
  const { page } = ui.view;
  await page.setRequestInterception(true);
  const asked: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname !== "/jobs") return void request.continue();
    const at = searchParams.get("page");
    asked.push(at);
    const links = at === "2" ? [] : [{ rel: "next", href: `/jobs?page=${at === null ? 1 : 2}` }];
    const items = at === "2" ? [{ id: "urn:platform:job:late", status: "failed", tool: "orders" }] : [];
    void request.respond({ contentType: "application/json", body: JSON.stringify({ items, links }) });
  });
  await ui.open("jobs");
  await ui.view.shows(/failed\s+orders/, ".virtual");
  // The next look at the newest jobs, of which again none is like it, keeps what was found.
  await expect.poll(() => asked.filter((at) => at === null).length).toBeGreaterThan(1);
  expect(await ui.view.text(".virtual")).toContain("orders");
});

test("the step that runs ends with a cancel", async () => {
  await ui.open("tools/linger");
  await ui.fill("textbox", "file *", join(ui.user.root, "never"));
  await ui.press("Call");
  await ui.view.shows(/●(.|\n)*look/, `${answer} .steps`);
  await ui.press("Cancel");
  await ui.view.shows("409", answer);
  await expect.poll(() => ui.view.text(`${answer} .steps`)).toMatch(/–\s+look\s+stopped/);
});

test("a refused job is told from one with a fault, with its time", async () => {
  await ui.open("tools/book");
  await ui.fill("textbox", "age *", "12");
  await ui.press("Call");
  await ui.view.shows("400", answer);
  await ui.open("tools/sell");
  await ui.fill("textbox", "item *", "nothing");
  await ui.press("Call");
  await ui.view.shows("500", answer);
  await ui.open("jobs");
  await ui.view.shows(/error(.|\n)*sell(.|\n)*failed(.|\n)*book/, ".virtual");
  await ui.view.shows(/book\s+Guests are at least 18 years old\./, ".virtual");
  const titles = await ui.view.page.$$eval(".job-row [title]", (found) =>
    found.map((one) => one.getAttribute("title")),
  );
  expect(titles.slice(0, 6)).toEqual([
    "error: a fault of the tool or the service",
    expect.stringMatching(/./),
    expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    "failed: the tool refused the request",
    "Guests are at least 18 years old.",
    expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  ]);
  await expectAccessible();
  const colours = await ui.view.page.evaluate(
    '[".failed", ".error"].map((kind) => getComputedStyle(document.querySelector(`.why ${kind}`)).color)',
  );
  expect(new Set(colours as readonly string[]).size).toBe(2);
});

test("a wide screen is used by lists and answers, while lines of text stay readable", async () => {
  await ui.view.page.setViewport({ width: 2560, height: 1300 });
  const width = (selector: string): Promise<number> =>
    ui.view.page.$eval(selector, (element) => (element as unknown as { clientWidth: number }).clientWidth);
  await ui.open("tools/ship");
  await ui.view.shows("Ships.", "article header");
  expect(await width(answer)).toBeGreaterThan(1300);
  expect(await width("article header p")).toBeLessThanOrEqual(800);
  expect(await width('form[aria-label="Call ship"]')).toBeLessThanOrEqual(800);
  await ui.open("jobs");
  await ui.view.page.locator("main h1").wait();
  expect(await width("main")).toBeGreaterThan(2000);
});
