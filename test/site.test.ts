import { globSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { extname, join, posix, resolve } from "node:path";
import { source as axe } from "axe-core";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { contents } from "../scripts/site/contents.ts";
import { readPages } from "../scripts/site/pages.ts";
import { testGolden } from "./site/golden-in-playground.ts";
import { testPlayground } from "./site/playground-in-browser.ts";
import { openBrowser } from "./support/browser.ts";
import { serveSite, type ServedSite } from "./support/serve-site.ts";

const out = resolve(".cache/site/out");
let site: ServedSite;
let browser: Browser;

beforeAll(async () => {
  const built = spawnSync(process.execPath, ["scripts/site.ts"], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
  site = await serveSite(out);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  site.close();
});

async function open(path: string, width = 1280): Promise<Page> {
  const page = await openKept(path, width);
  onTestFinished(() => page.close());
  return page;
}

/** Opens a page that stays open for later tests. */
async function openKept(path: string, width = 1280): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewport({ width, height: 800 });
  await page.goto(site.url + path, { waitUntil: "networkidle0" });
  return page;
}

const isPlayground = (file: string): boolean => /^playground[\\/]/.test(file);

const text = (page: Page): Promise<string> =>
  page.evaluate("document.querySelector('main').innerText") as Promise<string>;

test("every guide is in the sidebar, and as a page", () => {
  const listed = contents.flatMap(({ pages }) => pages);
  const isDecision = (path: string): boolean => path.startsWith("decisions/") && path !== "decisions/index";
  const guides = readPages(".").map(({ path }) => path);
  expect(listed.toSorted()).toEqual(guides.filter((path) => !isDecision(path) && path !== "reporting").toSorted());
  const files = globSync("**/*.html", { cwd: out }).filter((file) => file !== "404.html" && !isPlayground(file));
  expect(files.map((file) => file.replace(/\.html$/, "")).toSorted()).toEqual(guides.toSorted());
});

test("no link of any page leads nowhere, neither to a page nor to a place in it", () => {
  const pages = new Map(
    globSync("**/*.html", { cwd: out }).map((file) => [file, readFileSync(join(out, file), "utf8")]),
  );
  const anchors = new Map([...pages].map(([file, html]) => [file, idsOf(html)]));
  const dead: string[] = [];
  for (const [file, html] of pages) {
    for (const [, href = ""] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (/^(?:https?|mailto):/.test(href)) continue;
      const [path = "", anchor] = href.split("#");
      const named = path === "" ? file : posix.join(path.startsWith("/") ? "." : posix.dirname(file), path);
      const target = named.endsWith("/") || named === "." ? posix.join(named, "index.html") : withEnding(named);
      const ids = anchors.get(target);
      if (ids === undefined || (anchor !== undefined && anchor !== "" && !ids.has(decodeURIComponent(anchor))))
        dead.push(`${file}: ${href}`);
    }
  }
  expect(dead).toEqual([]);
  expect(pages.size).toBeGreaterThan(100);
});

test("the theme shows its own texts, and no page an expression", async () => {
  const page = await open("/durable.html");
  const whole = await page.evaluate("document.body.innerText");
  expect(whole).toContain("On this page");
  expect(whole).not.toContain("{{");
});

test("search finds a word of a guide, and leads to its place", async () => {
  const page = await open("/");
  await page.keyboard.press("/");
  await page.waitForSelector("#localsearch-input");
  await page.type("#localsearch-input", "atMostOnce");
  await page.waitForSelector(".results .result");
  await page.click(".results .result");
  await page.waitForFunction("location.pathname.includes('durable')");
  expect(await text(page)).toContain("atMostOnce");
});

test.each(["light", "dark"] as const)(
  "%s: nothing that axe finds, and nothing wider than a telephone",
  async (theme) => {
    for (const path of ["/", "/guides.html", "/tools.html", "/rest.html"]) {
      const page = await open(path, 360);
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await page.reload({ waitUntil: "networkidle0" });
      expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(theme === "dark");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
      await page.evaluate(axe);
      const found = await page.evaluate(
        "axe.run('main').then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]))",
      );
      expect({ path, found }).toEqual({ path, found: [] });
    }
  },
);

/** Questions of strangers: the link on the first page, the one behind it where there is one, and the answer. */
const questions: readonly (readonly [question: string, links: readonly string[], answer: string])[] = [
  ["How do I write a tool?", ["What makes a tool"], "@tool"],
  ["Does it work with my bundler?", ["Bundlers"], "Rollup"],
  ["How do I keep callers out?", ["Authorisation"], "@scope"],
  ["What survives a crash?", ["Durable jobs"], "at least once"],
  ["How do I run a tool every night?", ["Schedules"], "@schedule"],
  ["How do I call it from TypeScript?", ["Clients"], "createClient"],
  ["How do I get it into Claude Code?", ["In a host"], "tenon install"],
  ["What does TN201 mean?", ["Diagnostics"], "TN201"],
  ["How do I put it into a container?", ["Deploying"], "Dockerfile"],
  ["How fast is it?", ["Performance"], "npm run bench"],
  ["How do I set a breakpoint?", ["Debugging"], "npx tenon dev --inspect"],
  ["Which variables does a service read?", ["Guides", "Configuration"], "PLATFORM_LOG_LEVEL"],
];

test.each(questions)("%s is answered within two clicks from the first page", async (_question, links, answer) => {
  expect(links.length).toBeLessThanOrEqual(2);
  const page = await open("/");
  for (const name of links) {
    const before = page.url();
    const link = `[...document.querySelectorAll("a")].find((one) => one.innerText.trim() === ${JSON.stringify(name)})`;
    expect({ name, isThere: await page.evaluate(`${link} !== undefined`) }).toEqual({ name, isThere: true });
    await page.evaluate(`${link}.click()`);
    await page.waitForFunction(`location.href !== ${JSON.stringify(before)}`);
    await page.waitForNetworkIdle({ idleTime: 100 });
  }
  expect(await text(page)).toContain(answer);
});

test("agents find each guide as Markdown", () => {
  const list = readFileSync(join(out, "llms.txt"), "utf8");
  const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  expect(links).toHaveLength(contents.flatMap(({ pages }) => pages).length);
  for (const path of links) expect(readFileSync(join(out, path), "utf8")).toMatch(/^# /m);
  const whole = readFileSync(join(out, "llms-full.txt"), "utf8");
  expect(whole).toContain("# Durable jobs");
  expect(list.split("\n").filter((line) => line.endsWith(": "))).toEqual([]);
});

testPlayground(join(out, "playground"), { open, openKept });
testGolden(join(out, "playground"));

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id));
}

function withEnding(path: string): string {
  return extname(path) === "" ? `${path}.html` : path;
}
