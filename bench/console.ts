/**
 * The console in a real Chromium: milliseconds from the request of a page to its first paint, and the frames while a
 * table of 10,000 rows is scrolled and while a job reports 1,000 events. `node bench/console.ts [rounds] [--quick]
 * [--json FILE]` after `npm run build`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { openBrowser } from "../test/support/browser.ts";
import { buildFolder, compilerOptions } from "./lib/build-service.ts";
import { atMost } from "./lib/figure.ts";
import { interleave } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { startServerProcess } from "./lib/server-process.ts";

const { quick, words, progress, finish } = benchScript();
const rounds = Number(words[0] ?? (quick ? 2 : 9));
const root = resolve(import.meta.dirname, "..");
const folder = join(root, "bench/.cache/console");

/** Milliseconds to a page of the service, in a browser that has nothing of it. */
async function paintOf(browser: Browser, address: string): Promise<{ readonly paint: number }> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector("main h1, main h2");
  const paint = (await page.evaluate(
    'performance.getEntriesByName("first-contentful-paint")[0].startTime',
  )) as unknown as number;
  await context.close();
  return { paint };
}

/** Calls a tool of the page, and measures the frames while `during` runs in the page. */
async function framesOf(page: Page, tool: string, during: string): Promise<{ readonly frame: number }> {
  await page.goto("about:blank");
  await page.goto(`${service}/docs#/tools/${tool}`);
  await page.locator('::-p-aria([name="Call"][role="button"])').click();
  const times = (await page.evaluate(`(async () => {
    const frames = [];
    let last = performance.now();
    const frame = (now) => { frames.push(now - last); last = now; following = requestAnimationFrame(frame); };
    let following = requestAnimationFrame(frame);
    ${during}
    cancelAnimationFrame(following);
    return frames;
  })()`)) as unknown as readonly number[];
  return { frame: times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN };
}

const isThere = (condition: string): string =>
  `while (!(${condition})) await new Promise((resolve) => setTimeout(resolve, 5));`;
const answer = "document.querySelector('section[aria-label=\"Answer\"]')";
const scroll = `${isThere(`${answer}?.querySelector(".scroll")`)}
  const box = ${answer}.querySelector(".scroll");
  frames.length = 0;
  for (let step = 0; step < 120; step++) {
    box.scrollTop += 600;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }`;
// The badge of the status, since steps have numbers, too. To read `innerText` would lay the page out each time.
const untilAnswered = isThere(`${answer}?.querySelector(".badge")?.textContent === "200"`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, "src"), { recursive: true });
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
write("package.json", '{ "name": "bench-console", "version": "1.0.0", "private": true, "type": "module" }\n');
const paths = { tenon: [join(root, "dist/runtime/index.d.ts")] };
write("tsconfig.json", JSON.stringify({ compilerOptions: { ...compilerOptions, paths }, include: ["src"] }));
write("src/service.ts", serviceText());

const server = await startServerProcess(buildFolder(folder, "dist/cli/main.js"), ["--with-mcp"], { PORT: "0" });
const service = `http://127.0.0.1:${server.port}`;
const browser = await openBrowser();
try {
  const onRound = (round: number): void => progress(`console: round ${round + 1} of ${rounds}`);
  const pages = { "first page": "", "page of a tool": "tools/rows", "list of jobs": "jobs" };
  const paint = await interleave(
    Object.entries(pages).map(([name, path]) => ({
      name,
      sample: () => paintOf(browser, `${service}/docs#/${path}`),
    })),
    { rounds, onRound },
  );
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  const frames = await interleave(
    [
      { name: "a table of 10,000 rows is scrolled", sample: () => framesOf(page, "rows", scroll) },
      { name: "a job reports 1,000 events", sample: () => framesOf(page, "events", untilAnswered) },
    ],
    { rounds, onRound },
  );
  const shown = Object.keys(pages);
  finish([
    {
      id: "console-paint",
      name: "First paint of the console, in a browser that has nothing of it",
      unit: "ms",
      better: "lower",
      rows: paint.rows("paint"),
      goals: shown.map((name) => atMost(500, name, paint.median("paint", name), "ms")),
    },
    {
      id: "console-frames",
      name: "Time of a frame of the console that 99 of 100 are not longer than",
      unit: "ms",
      better: "lower",
      rows: frames.rows("frame"),
      goals: frames
        .rows("frame")
        .map(({ contender }) => atMost(50, contender, frames.median("frame", contender), "ms")),
    },
  ]);
} finally {
  await browser.close();
  server.stop();
}

function serviceText(): string {
  const others = Array.from(
    { length: 98 },
    (_, index) => `/** Returns its number. @tool */
export function tool${index}(): number { return ${index}; }
`,
  );
  return `import { Service, startLambdaServer, type JobContext } from "tenon";

/** Returns 10,000 rows. @tool */
export function rows(): { id: number; name: string; due: Date }[] {
  return Array.from({ length: 10_000 }, (_, id) => ({ id, name: "row " + id, due: new Date(id * 1e9) }));
}

/** Reports 1,000 events in two seconds. @tool */
export async function events(job: JobContext): Promise<string> {
  for (let number = 0; number < 500; number++) {
    await job.report.step("step " + number, async (step) => {
      await new Promise((resolve) => setTimeout(resolve, 4));
      step.finished();
    });
  }
  return "done";
}

${others.join("\n")}
const server = await startLambdaServer(new Service({ name: "Console" }));
process.on("message", () => {
  process.send?.({ cpu: 0, rss: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port: Number(new URL(server.url).port) });
`;
}
