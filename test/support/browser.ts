import chromium from "@sparticuz/chromium";
import { launch, type Browser } from "puppeteer-core";

/** A real Chromium without a window. The package's own arguments turn off what is tested: `--disable-web-security`. */
export async function openBrowser(): Promise<Browser> {
  return launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP *.test 127.0.0.1"],
    headless: "shell",
  });
}
