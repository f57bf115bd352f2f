import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { packedProject } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

/** Folder of the package code-server, which carries VS Code and is too large to be a dependency. */
const server = process.env["CODE_SERVER"];
const extension = resolve("editors/vscode/dist/tenon.vsix");
const isLeftOut = server === undefined || !existsSync(extension);

test.skipIf(isLeftOut)(
  `the packed extension shows a finding in a VS Code server${isLeftOut ? " [needs CODE_SERVER and npm run vsix: editors/vscode/README.md]" : ""}`,
  async () => {
    const program = join(server ?? "", "out/node/entry.js");
    const folder = mkdtempSync(join(tmpdir(), "tenon-vscode-"));
    const data = ["--user-data-dir", join(folder, "data"), "--extensions-dir", join(folder, "extensions")];
    const project = packedProject({
      ...primeFiles,
      "src/is-prime.ts": (primeFiles["src/is-prime.ts"] ?? "").replace("number: number", "number: () => void"),
    });
    mkdirSync(join(folder, "data/User"), { recursive: true });
    const settings = {
      "security.workspace.trust.enabled": false,
      "workbench.startupEditor": "none",
      // The server has the path of a login shell.
      "tenon.node": process.execPath,
    };
    writeFileSync(join(folder, "data/User/settings.json"), JSON.stringify(settings));
    const installed = spawnSync(process.execPath, [program, ...data, "--install-extension", extension]);
    expect(String(installed.stdout)).toContain("successfully installed");
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(process.execPath, [program, ...data, "--auth", "none", "--bind-addr", address, project.root], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(child, "exit");
    let said = "";
    child.stdout.on("data", (text) => (said += String(text)));
    const browser = await openBrowser();
    try {
      await expect.poll(() => said, { interval: 100 }).toContain("HTTP server listening");
      const page = await browser.newPage();
      page.setDefaultTimeout(180_000);
      await page.setViewport({ width: 1400, height: 900 });
      await page.goto(`http://${address}/?folder=${encodeURIComponent(project.root)}`);
      await page.waitForSelector(".monaco-workbench .statusbar");
      await page.keyboard.down("Control");
      await page.keyboard.press("p");
      await page.keyboard.up("Control");
      await page.waitForSelector(".quick-input-widget input");
      await page.keyboard.type("is-prime.ts");
      await page.waitForSelector(".quick-input-list .monaco-list-row .label-name");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".squiggly-error");
      await page.keyboard.down("Control");
      await page.keyboard.down("Shift");
      await page.keyboard.press("m");
      await page.keyboard.up("Shift");
      await page.keyboard.up("Control");
      await page.waitForSelector(".markers-panel ::-p-text(TN301)");
      await page.waitForSelector('.statusbar-item[id^="tenon.tenon"] ::-p-text(tenon)');
      if (process.env["PICTURE"] !== undefined)
        await page.screenshot({ path: process.env["PICTURE"] as `${string}.png` });
    } finally {
      await browser.close();
      child.kill();
      await ended;
      project.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
