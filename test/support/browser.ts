import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { launch, type Browser, type Target } from "puppeteer-core";

/** A real Chromium without a window. The package's own arguments turn off what is tested: `--disable-web-security`. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launch({
    executablePath: chromium(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP *.test 127.0.0.1"],
    headless: "shell",
  });
  browser.on("targetcreated", (target: Target) => void prepare(target).catch(() => {}));
  return browser;
}

/** Times by which pages are slower: a test that acts before its page is ready then fails each time, not rarely. */
const slowdown = Number(process.env["BROWSER_SLOWDOWN"] ?? 1);

/** Sets up a page, before the test has it. Rejects when the page is closed meanwhile. */
async function prepare(target: Target): Promise<void> {
  if (target.type() !== "page") return;
  const page = await target.page();
  // Only ends what hangs, as the configuration of the tests does: a build that the page waits for takes its time.
  page?.setDefaultTimeout(120_000);
  if (slowdown > 1) await page?.emulateCPUThrottling(slowdown);
}

/**
 * Path of Chromium, unpacked once for all runs. The package unpacks it into the temporary folder of each run, where a
 * second worker starts a file that is still being written (ETXTBSY).
 */
function chromium(): string {
  const { version } = JSON.parse(readFileSync("node_modules/@sparticuz/chromium/package.json", "utf8")) as {
    version: string;
  };
  const folder = resolve(`node_modules/.cache/chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(resolve("node_modules/.cache"), { recursive: true });
    const own = mkdtempSync(`${folder}-`);
    const unpack = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
    const env = { ...process.env, TMPDIR: own };
    execFileSync(process.execPath, ["--input-type=module", "--eval", unpack], { env });
    try {
      renameSync(own, folder);
    } catch {
      // Another worker was faster.
      rmSync(own, { recursive: true });
    }
  }
  return join(folder, "chromium");
}
