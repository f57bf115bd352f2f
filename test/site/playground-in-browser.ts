import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { source as axe } from "axe-core";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { example } from "../../playground/page/example.ts";

interface Browsing {
  /** Opens a page of the site for one test. */
  open(path: string): Promise<Page>;
  /** Opens a page that stays open for later tests. */
  openKept(path: string): Promise<Page>;
}

const path = "/playground/index.html";
const status = "document.querySelector('.state')?.textContent";

/** Tests of the built playground in a browser. */
export function testPlayground(folder: string, { open, openKept }: Browsing): void {
  let kept: Promise<Page> | undefined;
  /** The page of all tests, with a source in its editor: to load the compiler takes longer than most of them. */
  const withSource = async (source: string, label: string): Promise<Page> => {
    const page = await (kept ??= openKept(path));
    // A page behind another one draws nothing, and waits.
    await page.bringToFront();
    await write(page, source);
    await page.evaluate("document.getElementById('tab-Stage-0')?.click()");
    await page.waitForFunction(`document.querySelector('[aria-label="Call ${label}"]') !== null`);
    return page;
  };

  test("the playground is loaded only where it is opened, and has at most 4 MB compressed", async () => {
    const sizes = globSync("*.{html,js,css,json}", { cwd: folder }).map(
      (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000);
    const page = await open("/");
    expect(await requestsOf(page)).not.toContainEqual(expect.stringContaining("/playground/"));
    const link = "[...document.querySelectorAll('a')].find(({ innerText }) => innerText.trim() === 'Playground')";
    await page.evaluate(`${link}.click()`);
    await page.waitForFunction(`${status} === '1 tool'`);
    expect(readFileSync("README.md", "utf8")).toContain(example);
  });

  test("the playground shows all that tenon makes of a source, as it is typed", async () => {
    const page = await withSource(example, "isPrime");
    expect(await tab(page, "Schemas")).toContain('"maximum": 4294967295');
    expect(await tab(page, "MCP")).toContain('"outputSchema"');
    expect(await tab(page, "OpenAPI")).toContain('"openapi": "3.1');
    expect(await tab(page, "Code")).toContain('from"tenon/internal"');
    expect(await tab(page, "Definition")).toContain('"controller-schema"');
    await write(page, example.replace("number: number;", "number: number;\n  /** A time. */\n  when: Whenever;"));
    await page.waitForFunction(`${status} === '1 tool · 1 error'`);
    expect(await tab(page, "Findings (1)")).toMatch(/TN302 error line 6.*Whenever/s);
    const href = await page.evaluate("document.querySelector('.findings a').getAttribute('href')");
    expect(href).toBe("../diagnostics.html#tn302");
    await page.evaluate("document.querySelector('.findings button').click()");
    expect(await page.evaluate("document.activeElement.closest('.cm-editor') !== null")).toBe(true);
    expect(await page.evaluate("document.querySelector('.cm-lintRange-error').textContent")).toBe("Whenever");
    await write(page, "export const one = 1;");
    await page.waitForFunction(`${status} === '0 tools'`);
    expect(await tab(page, "Call")).toContain("There is no tool.");
    const start = 'await startLambdaServer(new Service({ name: "Mine", version: "2.0.0" }));';
    await write(page, `import { Service, startLambdaServer } from "tenon";\n${example}\n${start}\n`);
    await page.waitForFunction(`${status} === '1 tool'`);
    expect(await tab(page, "Definition")).toContain('"name": "Mine"');
    await tab(page, "Call");
    expect(await call(page, { number: 7 })).toMatch(/200[\s\S]*isPrimetrue/);
  });

  test("the form calls the function, by the generated checks", async () => {
    const page = await withSource(example, "isPrime");
    expect(await call(page, { number: 997 })).toMatch(/200[\s\S]*isPrimetrue/);
    expect(await call(page, { number: -1 })).toMatch(/422[\s\S]*\/number\s+Expected integer from 0/);
  });

  test("a tool in the playground has steps, a logger and codecs", async () => {
    const source = `import { getLogger, type JobContext, ValueError } from "tenon";
const log = getLogger("visits");
/** Counts.
 * @tool */
export async function count(day: Date, kept: Set<string>, job: JobContext): Promise<{ next: Date; sum: bigint }> {
  if (kept.size === 0) throw new ValueError("Nothing is kept.");
  log.info({ size: kept.size }, "counting");
  const sum = await job.step("count", () => BigInt(kept.size) * 2n ** 60n);
  return { next: new Date(day.getTime() + 86_400_000), sum };
}
`;
    const page = await withSource(source, "count");
    const day = "2026-02-28T00:00:00Z";
    const shown = await call(page, { day, kept: ["a", "b"] });
    expect(shown).toMatch(/200[\s\S]*count[\s\S]*Mar 1, 2026[\s\S]*"2305843009213693952"[\s\S]*counting/);
    expect(await call(page, { day, kept: [] })).toMatch(/400[\s\S]*Nothing is kept\./);
  });

  test("a hostile source stays in its frame", async () => {
    const hostile = `/** </script><script>top.was = 1</script><img src=x onerror="top.was = 1">
 * @tool */
export async function attack(how: "ask" | "loop" | "page" | "throw"): Promise<string> {
  if (how === "loop") for (;;);
  if (how === "ask") await fetch("/guides.html");
  if (how === "throw") throw new Error("a secret");
  return typeof globalThis["document"] + typeof globalThis["localStorage"] + "</script><script>top.was = 1</script>";
}
`;
    const page = await withSource(hostile, "attack");
    expect(await call(page, { how: "page" })).toContain("undefinedundefined</script>");
    const refused = await call(page, { how: "ask" });
    expect(refused).toMatch(/500[\s\S]*The tool failed/);
    expect(await call(page, { how: "throw" })).toMatch(/500[\s\S]*a secret/);
    await request(page, { how: "loop" });
    await page.evaluate("document.querySelector('.actions button:not(.primary)').click()");
    await page.waitForFunction("document.querySelector('.outcome').innerText.includes('was stopped')");
    expect(await page.evaluate("[document.querySelectorAll('iframe').length, typeof window.was]")).toEqual([
      0,
      "undefined",
    ]);
    expect(await requestsOf(page)).not.toContainEqual(expect.stringContaining("guides.html"));
  });

  test("a call is stopped after ten seconds, and a source is given up after twenty", async () => {
    const endless = `/** Goes on.
 * @tool */
export function goOn(isEndless: boolean): string {
  while (isEndless);
  return "ended";
}
`;
    const page = await withSource(endless, "goOn");
    await hurry(page);
    expect(await call(page, { isEndless: true })).toContain("The call was stopped after 10 seconds.");
    await page.evaluate("hurried.end()");
    expect(await call(page, { isEndless: false })).toMatch(/200[\s\S]*ended/);
    await hurry(page);
    await write(page, "// never answered");
    await page.waitForFunction(
      "document.querySelector('.made').innerText.includes('This source takes more than 20 seconds.')",
    );
    await page.evaluate("hurried.end()");
    await write(page, example);
    await page.waitForFunction(`${status} === '1 tool'`);
    expect(await call(page, { number: 11 })).toMatch(/200[\s\S]*isPrimetrue/);
  });

  test("after sources that nobody can compile the page goes on", async () => {
    const page = await withSource(example, "isPrime");
    for (const source of ["(".repeat(20_000), "\u0001}]>\ufffd`${", "/** @tool */ export function"]) {
      await write(page, source);
      await page.waitForFunction(`${status} !== '1 tool'`);
      await write(page, example);
      await page.waitForFunction(`${status} === '1 tool'`);
    }
    expect(await call(page, { number: 13 })).toMatch(/200[\s\S]*isPrimetrue/);
  });

  test("a link carries the source", async () => {
    const page = await withSource(example.replace("isPrime(", "isItPrime("), "isItPrime");
    await page.evaluate("document.querySelector('.top button').click()");
    await page.waitForFunction("location.hash.startsWith('#source=')");
    const other = await open(path + new URL(page.url()).hash);
    await other.waitForFunction("document.querySelector('[aria-label=\"Call isItPrime\"]') !== null");
    expect(await other.evaluate("location.hash.length")).toBeLessThan(1000);
  });

  test.each(["light", "dark"] as const)(
    "%s: the playground on a telephone has nothing that axe finds",
    async (theme) => {
      const page = await withSource(example, "isPrime");
      await page.setViewport({ width: 360, height: 800 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await call(page, { number: -1 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
      await page.evaluate(axe);
      for (const name of ["Findings", "Schemas", "Call"]) {
        await tab(page, name);
        const found = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]))",
        );
        expect({ name, found }).toEqual({ name, found: [] });
      }
    },
  );
}

async function requestsOf(page: Page): Promise<readonly string[]> {
  return (await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")) as string[];
}

/**
 * Lets the page's limits of seconds pass at once, and withholds sources that are "never answered" from the compiler,
 * until `hurried.end()`.
 */
async function hurry(page: Page): Promise<void> {
  await page.evaluate(`{
    const [later, { postMessage }] = [setTimeout, Worker.prototype];
    globalThis.setTimeout = (run, time, ...given) => later(run, time >= 10_000 ? time / 100 : time, ...given);
    Worker.prototype.postMessage = function (message) {
      if (message.source !== "// never answered") postMessage.call(this, message);
    };
    globalThis.hurried = {
      end() {
        globalThis.setTimeout = later;
        Worker.prototype.postMessage = postMessage;
      },
    };
    undefined;
  }`);
}

/** Opens a tab, and returns its text. */
async function tab(page: Page, name: string): Promise<string> {
  await page.evaluate(
    `[...document.querySelectorAll('[role=tab]')].find((one) => one.innerText === '${name}').click()`,
  );
  return (await page.evaluate("document.getElementById('tab-Stage-panel').textContent")) as string;
}

/** Replaces the source in the editor. */
async function write(page: Page, source: string): Promise<void> {
  await page.evaluate("document.querySelector('.cm-content').focus()");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.sendCharacter(source);
}

/** Sends a request by the form's JSON. */
async function request(page: Page, value: object): Promise<void> {
  await tab(page, "JSON");
  await page.evaluate("document.querySelector('textarea.json').select()");
  await page.keyboard.sendCharacter(JSON.stringify(value));
  await page.evaluate("document.querySelector('.outcome')?.setAttribute('data-old', '')");
  await page.evaluate("document.querySelector('.actions .primary').click()");
}

/** Calls the tool, and returns the text of its outcome. */
async function call(page: Page, value: object): Promise<string> {
  await request(page, value);
  await page.waitForFunction(
    "document.querySelector('.outcome') !== null && document.querySelector('.actions .primary').innerText === 'Call'",
  );
  return (await page.evaluate("document.querySelector('.outcome').innerText")) as string;
}
