/**
 * Makes the pictures of the console in `docs/images`: the examples' service at two widths, light and dark. `npm run
 * pictures`, after `npm run build`.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { openBrowser } from "../../test/support/browser.ts";

const project = "examples/all";
const sizes = [
  [1440, 900],
  [390, 844],
] as const;

mkdirSync("docs/images", { recursive: true });
const built = spawnSync(process.execPath, ["../../dist/cli/main.js", "build"], { cwd: project, stdio: "inherit" });
if (built.status !== 0) process.exit(1);
const service = spawn(process.execPath, ["dist/service.mjs", "--with-mcp", "--host", "127.0.0.1", "--port", "0"], {
  cwd: project,
  stdio: ["ignore", "inherit", "pipe"],
});
const url = await new Promise<string>((resolve) => {
  createInterface({ input: service.stderr }).on("line", (line) => {
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (found !== undefined) resolve(found);
  });
});
const browser = await openBrowser();
try {
  for (const [width, height] of sizes)
    for (const scheme of ["light", "dark"]) await take(width, height, scheme, "tools", `${width}-${scheme}`);
  await take(1440, 900, "light", "mcp/Tools", "mcp");
} finally {
  await browser.close();
  service.kill("SIGTERM");
}

/** Fills the form in, calls, and takes the picture when the map is there. */
async function take(width: number, height: number, scheme: string, view: string, name: string): Promise<void> {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(`${url}/docs#/${view}/waveFunctionCollapse`);
  const write = (field: string, value: string): Promise<void> =>
    page.locator(`::-p-aria([name="${field} *"][role="textbox"])`).fill(value);
  await write("width", "26");
  await write("height", "15");
  await page.locator("button.primary").click();
  await page.locator("figure img").wait();
  // A phone shows one part at a time: the answer says more than the form.
  if (width < 800)
    await page.$eval('section[aria-label="Answer"]', (answer) =>
      (answer as unknown as { scrollIntoView(): void }).scrollIntoView(),
    );
  await page.evaluate("scrollBy(0, innerWidth < 800 ? -110 : 0)");
  await page.screenshot({ path: `docs/images/console-${name}.png` });
  await page.close();
}
