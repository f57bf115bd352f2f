/**
 * The console in a real Chromium: how long until something is painted, and until the first job of 10,000 or the first
 * of 200 tools is there, beside a page that has them in its HTML, and beside Swagger UI on the same service's
 * OpenAPI document; frames a second while the list of jobs is scrolled from end to end; sizes of the scripts.
 * `npm run build && node bench/console.ts [--quick] [--json FILE]`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../test/support/browser.ts";
import { makeJobs } from "../test/support/make-jobs.ts";
import { buildService } from "./lib/build-service.ts";
import { atLeast, atMost } from "./lib/figure.ts";
import { frameRate, pageTimes, untilTrue } from "./lib/page-times.ts";
import { interleave, summarise } from "./lib/rounds.ts";
import { benchScript } from "./lib/script.ts";
import { startServerProcess } from "./lib/server-process.ts";

const { quick, progress, finish } = benchScript();
const [rounds, jobs, frames] = quick ? [1, 1000, 120] : [15, 10_000, 600];
const tools = 200;
const modules = join(import.meta.dirname, "node_modules");
const hasPeers = existsSync(join(modules, "swagger-ui-dist"));

const service = await startServerProcess(buildService(tools, { isPackage: true }), [
  "--host",
  "127.0.0.1",
  "--port",
  "0",
]);
const url = `http://127.0.0.1:${service.port}`;
progress(`console: ${jobs} jobs`);
await makeJobs(url, "isPrime", jobs, JSON.stringify({ number: 997 }));
const openApi = await (await fetch(`${url}/openapi.json`)).text();
const rows = Array.from({ length: tools }, (_, index) => `<li class="row">isPrime${index}</li>`).join("");
const file = (path: string): string => readFileSync(join(modules, path), "utf8");
const swaggerUi = "swagger-ui-dist/swagger-ui-bundle.js";
/** Pages and what they load, by path. */
const pages: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "/bare": ["text/html", `<!doctype html><title>Bare</title><ul>${rows}</ul>`],
  "/openapi.json": ["application/json", openApi],
  ...(hasPeers && {
    "/swagger-ui": [
      "text/html",
      `<!doctype html><title>Swagger UI</title><link rel="stylesheet" href="/swagger-ui.css"><div id="ui"></div>
      <script src="/swagger-ui.js"></script><script>SwaggerUIBundle({ url: "/openapi.json", dom_id: "#ui" })</script>`,
    ],
    "/swagger-ui.css": ["text/css", file("swagger-ui-dist/swagger-ui.css")],
    "/swagger-ui.js": ["text/javascript", file(swaggerUi)],
  }),
};
const server = createServer((request, response) => {
  const [type, text] = pages[request.url ?? ""] ?? ["text/plain", undefined];
  response.writeHead(text === undefined ? 404 : 200, { "content-type": `${type}; charset=utf-8` }).end(text);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const peers = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const browser = await openBrowser();
const bare = "a page with the list in its HTML";
const consoleTools = `tenon, ${tools} tools`;
const consoleJobs = `tenon, ${jobs.toLocaleString("en")} jobs`;
const contenders = [
  { name: bare, at: `${peers}/bare`, selector: ".row" },
  { name: consoleTools, at: `${url}/docs#/tools`, selector: ".tool-list a" },
  { name: consoleJobs, at: `${url}/docs#/jobs`, selector: ".virtual li" },
  ...(hasPeers ? [{ name: "Swagger UI 5", at: `${peers}/swagger-ui`, selector: ".opblock" }] : []),
] as const;
const times = await interleave(
  contenders.map(({ name, at, selector }) => ({ name, sample: () => pageTimes(browser, at, selector) })),
  { rounds, onRound: (round) => progress(`console: pages, round ${round} of ${rounds}`) },
);

const page = await browser.newPage();
await page.setViewport({ width: 1440, height: 900 });
await page.goto(`${url}/docs#/jobs`);
await page.waitForSelector(".virtual li");
// The list loads what is scrolled to: its end first, so that frames are measured and not answers.
await untilTrue(
  page,
  `(() => {
    const list = document.querySelector(".virtual");
    list.scrollTop = list.scrollHeight;
    return Number(document.querySelector(".virtual li")?.getAttribute("aria-setsize")) >= ${jobs * 0.99};
  })()`,
);
const still = await browser.newPage();
await still.goto(`${peers}/bare`);
const rates: Record<"still" | "list", number[]> = { still: [], list: [] };
for (let round = 0; round < (quick ? 1 : 5); round++) {
  progress(`console: frames, round ${round}`);
  await still.bringToFront();
  rates.still.push(await frameRate(still, "html", frames));
  await page.bringToFront();
  rates.list.push(await frameRate(page, ".virtual", frames));
}
await browser.close();
server.close();
service.stop();

const consoleTexts = readFileSync(join(import.meta.dirname, "../dist/runtime/fronts/rest/console-texts.js"), "utf8");
const { script } = JSON.parse(consoleTexts.slice(consoleTexts.indexOf("{"), consoleTexts.lastIndexOf("}") + 1)) as {
  readonly script: string;
};
const size = (contender: string, text: string): { contender: string; median: number; spread: number } => ({
  contender,
  median: Buffer.byteLength(text) / 1000,
  spread: 0,
});
const list = summarise(rates.list);
const stillRate = summarise(rates.still);
finish([
  {
    id: "console-paint",
    name: "First paint of a page of tools or jobs, with an empty cache",
    unit: "ms",
    better: "lower",
    rows: times.rows("paint"),
    goals: [atMost(500, `${consoleJobs}, over bare`, times.difference("paint", consoleJobs, bare), "ms")],
  },
  {
    id: "console-shown",
    name: "Until the first tool or job is on the screen, with an empty cache",
    unit: "ms",
    better: "lower",
    rows: times.rows("shown"),
    goals: [
      atMost(500, `${consoleJobs}, over bare`, times.difference("shown", consoleJobs, bare), "ms"),
      atMost(500, `${consoleTools}, over bare`, times.difference("shown", consoleTools, bare), "ms"),
    ],
  },
  {
    id: "console-frames",
    name: `Frames while ${jobs.toLocaleString("en")} jobs are scrolled from end to end in ${frames} steps`,
    unit: "frames/s",
    better: "higher",
    rows: [
      { contender: "a page that does nothing", ...stillRate },
      { contender: "tenon", ...list },
    ],
    goals: [atLeast(0.98, "tenon ÷ a page that does nothing", list.median / stillRate.median)],
  },
  {
    id: "console-size",
    name: "Script of the page, minified",
    unit: "kB",
    better: "lower",
    rows: [size("tenon", script), ...(hasPeers ? [size("Swagger UI 5", file(swaggerUi))] : [])],
    goals: [atMost(60, "tenon", Buffer.byteLength(script) / 1000, "kB")],
  },
]);
