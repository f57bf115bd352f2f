import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import axe from "axe-core";
import { build } from "esbuild";
import type { Browser, Frame, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { hostileTexts } from "../support/hostile-console-project.ts";
import { type PackedProject, packedProject, serve, type Served } from "../support/packed-project.ts";
import { viewFiles } from "../support/view-project.ts";

let user: PackedProject;
let browser: Browser;
let served: Served;
/** Serves the page of the host, and notes what views of it reach. */
let hostServer: Server;
let origin: string;
let stolen: string[];
let page: Page | undefined;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ["test/fixtures/view-host/host.ts"],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
  });
  const script = outputFiles[0]?.text ?? "";
  stolen = [];
  hostServer = createServer((request, response) => {
    const { url = "" } = request;
    if (url.startsWith("/stolen")) stolen.push(url);
    const isScript = url === "/host.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(
      isScript ? script : '<!doctype html><title>host</title><script type="module" src="/host.js"></script>',
    );
  });
  await new Promise<void>((done) => hostServer.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(hostServer.address() as AddressInfo).port}`;
  // The newest compiler takes a tenth of the time of the others, with which test/package/client.test.ts checks types.
  user = packedProject(viewFiles(origin), { packages: ["preact"], typescript: "typescript-7" });
  const built = user.tenon("build");
  expect(built.stderr).toContain("built in");
  [browser, served] = await Promise.all([
    openBrowser(),
    serve(join(user.root, "dist/service.mjs"), ["--with-mcp"], { TENON_ALLOWED_ORIGINS: origin }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await served.stop();
  hostServer.close();
  user.dispose();
});
afterEach(async () => {
  await page?.close();
  page = undefined;
});

interface Opened {
  readonly uri: string;
  readonly meta: object;
  readonly read: object;
  readonly protocol: string;
}

/** Shows the view of a tool for a call, as a host does. */
async function show(tool: string, args: object, options: object = {}): Promise<Frame & { readonly opened: Opened }> {
  page = await browser.newPage();
  await page.setViewport({ width: 800, height: 600 });
  await page.goto(origin);
  await page.waitForFunction("globalThis.host !== undefined");
  const words = [`${served.url}/mcp`, tool, args, options].map((one) => JSON.stringify(one)).join();
  const opened = (await page.evaluate(`host.open(${words})`)) as Opened;
  const [, frame] = page.frames();
  if (frame === undefined) throw new Error("The host shows no view.");
  return Object.assign(frame, { opened });
}

const text = (frame: Frame, selector: string): Promise<string> =>
  frame.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`) as Promise<string>;
const evaluate = (frame: Frame, script: string): Promise<unknown> => frame.evaluate(script);

test("a view in Preact: result, own calls, mistakes, progress, the host's facts and links", async () => {
  const view = await show("primes", { from: 10, count: 2 }, { context: { theme: "dark" } });
  expect(view.opened).toMatchObject({
    uri: "ui://views-more/primes.html",
    meta: { ui: { resourceUri: "ui://views-more/primes.html" } },
    read: { contents: [{ mimeType: "text/html;profile=mcp-app", _meta: { ui: { csp: {}, prefersBorder: true } } }] },
    protocol: "2026-07-28",
  });
  await expect.poll(() => text(view, "h1")).toBe("2 primes from 10");
  expect(await text(view, "ol")).toBe("1113");
  expect(await text(view, "#host")).toBe("dark en-GB test host");
  expect(await evaluate(view, "document.documentElement.dataset.theme")).toBe("dark");
  // Styles, and pictures in them and in the script, are part of the view.
  expect(await evaluate(view, "getComputedStyle(document.querySelector('h1')).color")).toBe("rgb(1, 2, 3)");
  await expect.poll(() => evaluate(view, "document.querySelector('img').naturalWidth")).toBe(1);

  await view.locator("::-p-aria([name='From 100'][role='button'])").click();
  await expect.poll(() => text(view, "ol")).toBe("101103107");
  expect(await text(view, "h1")).toBe("3 primes from 100");

  await view.locator("input").fill("0");
  await view.locator("::-p-aria([name='From 100'][role='button'])").click();
  await expect.poll(() => text(view, "#error")).toMatch(/^The tool failed/);
  expect(await evaluate(view, "document.querySelector('main').dataset.status")).toBe("failed");

  await view.locator("input").fill("7");
  await view.locator("::-p-aria([name='From 100'][role='button'])").click();
  await expect.poll(() => text(view, "ol")).toBe("101103107109113127131");
  expect(await text(view, "#error")).toBe("");
  expect(await text(view, "#progress")).toContain("found 131");

  await view.locator("::-p-aria([name='More'][role='button'])").click();
  await expect.poll(() => page?.evaluate("host.opened")).toEqual(["https://example.org/primes"]);
  // The host gives the view the height of its content.
  await expect.poll(() => page?.evaluate("document.querySelector('iframe').offsetHeight")).toBeGreaterThan(100);
});

test("a view in HTML, and a host of an older revision; positional arguments go both ways", async () => {
  const view = await show("add", { a: 1, others: [2, 3] }, { era: "legacy" });
  expect(view.opened).toMatchObject({ protocol: "2025-11-25", uri: "ui://views-more/add.html" });
  await expect.poll(() => text(view, "#sum")).toBe("1 + 2 + 3 = 6");
  expect(await evaluate(view, "getComputedStyle(document.querySelector('#sum')).color")).toBe("rgb(4, 5, 6)");
  await expect.poll(() => evaluate(view, "document.querySelector('img').naturalWidth")).toBe(1);
  expect(await evaluate(view, "document.title")).toBe("Sum & more");
  await view.locator("#again").click();
  await expect.poll(() => text(view, "#sum")).toBe("10 + 20 + 30 = 60");
});

test("a view reaches no other origin, and runs no script that its data or its page gets later", async () => {
  const view = await show("hello", { name: "<script>document.body.dataset.ran=3</script>" });
  await expect
    .poll(() => evaluate(view, "document.body.dataset.result"))
    .toBe("hello <script>document.body.dataset.ran=3</script>");
  const refused = ["connect-src", "img-src", "script-src-elem", "style-src-elem", "frame-src", "form-action"];
  const tried = async (): Promise<object> =>
    JSON.parse(((await evaluate(view, "document.body.dataset.tries")) as string | undefined) ?? "{}") as object;
  for (const directive of refused) await expect.poll(tried).toHaveProperty(directive);
  expect(await evaluate(view, "document.body.dataset.ran")).toBeUndefined();
  expect(stolen).toEqual([]);
});

test("a view made from the result's type: a table that sorts, with a chart of its numbers, and nothing for axe", async () => {
  const view = await show("towns", {});
  const rows = (): Promise<unknown> =>
    evaluate(view, "[...document.querySelectorAll('tbody tr')].map((row) => row.innerText.split('\\t').join())");
  await expect.poll(rows).toEqual(["Oslo,709,037,yes", "Bergen,291,940,no"]);
  expect(await text(view, "h1")).toBe("Towns of the north");
  expect(await evaluate(view, "[...document.querySelectorAll('th')].map((one) => one.textContent)")).toEqual([
    "Name",
    "Inhabitants",
    "Is capital",
  ]);
  const chart = "Inhabitants: 2 values, highest Oslo: 709,037";
  expect(await evaluate(view, "document.querySelector('svg').getAttribute('aria-label')")).toBe(chart);
  await view.locator("::-p-aria([name='Inhabitants'][role='button'])").click();
  await expect.poll(rows).toEqual(["Bergen,291,940,no", "Oslo,709,037,yes"]);
  await page?.setViewport({ width: 360, height: 600 });
  expect(await evaluate(view, "document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await view.evaluate(axe.source);
  const { violations } = (await view.evaluate("axe.run()")) as { violations: readonly { id: string }[] };
  expect(violations.map(({ id }) => id)).toEqual([]);
});

/** Shows a value in the view that is made from the result's type. */
async function showCells(json: string): Promise<Frame> {
  const view = await show("cells", { json });
  await expect.poll(() => evaluate(view, "document.querySelector('main')?.ariaBusy")).toBe("false");
  return view;
}

const texts = [
  ...hostileTexts,
  "javascript:window.ran=8",
  "\u202Egnp.exe \u2066left \u2069\u200F",
  "\u0000\u0007\u001B[31m\u2028\uFEFF",
  "é".repeat(100_000),
];

test("hostile cells of the view of a type are text: nothing runs, nothing leaves, and few elements are rendered", async () => {
  const cells = (view: Frame, selector: string): Promise<unknown> =>
    evaluate(view, `[...document.querySelectorAll('${selector}')].map((one) => one.textContent)`);
  const expectTame = async (view: Frame): Promise<void> => {
    expect(await evaluate(view, "window.ran")).toBeUndefined();
    expect(await evaluate(view, "document.querySelectorAll('main :is(script,style,img,svg,iframe,a)').length")).toBe(0);
    expect(await evaluate(view, "document.querySelectorAll('*').length")).toBeLessThan(5000);
  };
  const table = await showCells(JSON.stringify(texts.map((text) => ({ text }))));
  expect(await cells(table, "td")).toEqual(texts);
  await expectTame(table);

  const fields = await showCells(JSON.stringify(Object.fromEntries(texts.map((text) => [text, text]))));
  expect(await cells(fields, "dt")).toEqual(texts);
  expect(await cells(fields, "dd")).toEqual(texts);
  await expectTame(fields);

  // The second row has no fields of these names, though every object has members of them.
  const names = await showCells('[{"__proto__":"a","constructor":"b","toString":"c"},{"other":"d"}]');
  expect(await cells(names, "td")).toEqual(["a", "b", "c", "", "", "", "", "d"]);

  const deep = await showCells(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`);
  expect(await cells(deep, "h2")).toHaveLength(8);
  await expectTame(deep);

  const wide = await showCells(
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, index]))),
  );
  await expectTame(wide);
  expect(stolen).toEqual([]);
});

test("the types of a view are those of the function", () => {
  const check = (): string =>
    spawnSync(process.execPath, [join(user.root, "node_modules/typescript/bin/tsc"), "-p", "."], {
      cwd: user.root,
      encoding: "utf8",
    }).stdout;
  expect(check()).toBe("");
  user.write({
    "src/wrong.view.tsx": `import { useTool, connectTool } from "tenon/view";
import type { add, hello, primes } from "./tools.js";
export default function Wrong() {
  const tool = useTool<typeof primes>();
  void tool.call({ from: "1", count: 2 });
  const gap: string | undefined = tool.result?.[0]?.gap;
  void connectTool<typeof add>().call("1");
  void connectTool<typeof hello>().call();
  return <p>{gap}</p>;
}
`,
  });
  const lines = check()
    .split("\n")
    .filter((line) => line.startsWith("src"));
  expect(lines.map((line) => line.replace(/,\d+\): error (TS\d+).*/, ") $1"))).toEqual([
    "src/wrong.view.tsx(5) TS2322",
    "src/wrong.view.tsx(6) TS2322",
    "src/wrong.view.tsx(7) TS2345",
    "src/wrong.view.tsx(8) TS2554",
  ]);
});
