/**
 * The playground of the built site in a real Chromium: milliseconds from the request of its page to the first result,
 * and from a key press to the result of the new source, with the example of README; and the compressed size of all its
 * files. `node bench/playground.ts [rounds] [--quick] [--json FILE]` after `npm run build`; it builds the site.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, KeyInput, Page } from "puppeteer-core";
import { example } from "../playground/page/example.ts";
import { openBrowser } from "../test/support/browser.ts";
import { serveSite } from "../test/support/serve-site.ts";
import { atMost } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";

const { quick, words, progress, finish } = benchScript();
const rounds = Number(words[0] ?? (quick ? 2 : 9));
const keys = quick ? 5 : 40;
const root = resolve(import.meta.dirname, "..");
const out = join(root, ".cache/site/out");
const description = "Tests whether a number is prime.";

/** Opens the playground in a browser that has nothing of it, and waits for the first result. */
async function openFirst(browser: Browser): Promise<{ readonly page: Page; readonly wall: number }> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "domcontentloaded" });
  // Times of the page begin with the request of its document.
  const wall = (await page.evaluate(`(async () => {
    while (document.querySelector(".state")?.textContent !== "1 tool")
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now();
  })()`)) as unknown as number;
  return { page, wall };
}

/** Presses a key behind the tool's comment, and waits until its result is drawn. */
async function pressKey(page: Page, key: KeyInput): Promise<{ readonly wall: number }> {
  // An evaluated promise would be awaited before the key is pressed.
  await page.evaluate(`{
    const textOf = () => document.querySelector(".made p.dim:not(.state)").textContent;
    const before = textOf();
    globalThis.drawn = new Promise((resolve) => {
      const pressed = ({ timeStamp }) => {
        const look = () =>
          textOf() === before + ${JSON.stringify(key)} ? resolve(performance.now() - timeStamp) : requestAnimationFrame(look);
        look();
      };
      addEventListener("keydown", pressed, { once: true, capture: true });
    });
    undefined;
  }`);
  await page.keyboard.press(key);
  return { wall: (await page.evaluate("globalThis.drawn")) as unknown as number };
}

/** Moves the cursor behind the description of the tool. */
async function goToDescription(page: Page): Promise<void> {
  await page.bringToFront();
  await page.evaluate("document.querySelector('.cm-content').focus()");
  await page.keyboard.down("Control");
  await page.keyboard.press("Home");
  await page.keyboard.up("Control");
  const lines = example.slice(0, example.indexOf(description)).split("\n").length - 1;
  for (let line = 0; line < lines; line++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
}

const compressed = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(out, "playground", name)), { level: 9 }).length, 0) /
  1e6;

progress("playground: the site is built");
const built = spawnSync(process.execPath, [join(root, "scripts/site.ts")], { cwd: root, encoding: "utf8" });
if (built.status !== 0) throw new Error(`The site was not built:\n${built.stdout}${built.stderr}`);
const site = await serveSite(out, { isCompressed: true });
const address = `${site.url}/playground/index.html`;
const browser = await openBrowser();
try {
  let sent = 0;
  const openOnce = async (): Promise<{ readonly wall: number }> => {
    const before = site.sent();
    const { page, wall } = await openFirst(browser);
    sent = (site.sent() - before) / 1e6;
    await page.browserContext().close();
    return { wall };
  };
  const onRound = (round: number): void => progress(`playground: round ${round + 1} of ${rounds}`);
  const first = await interleave([{ name: "first result", sample: openOnce }], { rounds, onRound });
  const { page } = await openFirst(browser);
  await goToDescription(page);
  progress(`playground: ${keys} keys`);
  const pressed = await interleave([{ name: "a key", sample: () => pressKey(page, "e") }], { rounds: keys });
  const all = compressed(globSync("*.{html,js,css,json}", { cwd: join(out, "playground") }));
  const size = (contender: string, median: number) => ({ contender, median, spread: 0 });
  finish([
    {
      id: "playground-first",
      name: "First result of the playground, in a browser that has nothing of it",
      unit: "ms",
      better: "lower",
      rows: first.rows("wall"),
      goals: [atMost(3000, "example of README", first.median("wall", "first result"), "ms")],
    },
    {
      id: "playground-key",
      name: "From a key press in the playground to the result of the new source",
      unit: "ms",
      better: "lower",
      rows: pressed.rows("wall"),
      goals: [
        atMost(200, "example of README", pressed.median("wall", "a key"), "ms"),
        atMost(200, "example of README, 19 of 20 keys", pressed.quantile("wall", "a key", 0.95), "ms"),
      ],
    },
    {
      id: "playground-size",
      name: "Size of the playground, compressed",
      unit: "MB",
      better: "lower",
      rows: [size("all files", all), size("loaded until the first result", sent)],
      goals: [atMost(4, "all files", all, "MB")],
    },
  ]);
} finally {
  await browser.close();
  site.close();
}
