import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openBrowser } from "./browser.ts";
import { builtProject } from "./built-project.ts";
import { type ConsoleView, openConsole } from "./console-view.ts";
import { freePort } from "./free-port.ts";
import { type PackedProject, serve, type Served } from "./packed-project.ts";

/** The part of the page with what a tool answered. */
export const answer = 'section[aria-label="Answer"]';

/** A service with its console in a real Chromium. */
export class ServedConsole {
  user!: PackedProject;
  browser!: Browser;
  served!: Served;
  /** The page of the test that runs. */
  view!: ConsoleView;

  /** Opens a view of the service's console, such as `tools/isPrime`. */
  async open(path: string): Promise<void> {
    await this.view.page.goto(`${this.served.url}/docs#/${path}`);
  }

  async fill(role: string, name: string, value: string): Promise<void> {
    await this.view.fillIn([role, name], value);
  }

  /** Presses a button by its name. */
  async press(name: string): Promise<void> {
    await this.view.find("button", name).click();
  }

  /** Starts the built service. It does not wait for jobs that a test has left when it is stopped. */
  start(...more: readonly string[]): Promise<Served> {
    const env = { PLATFORM_SHUTDOWN_GRACE: "0" };
    return serve(join(this.user.root, "dist/service.mjs"), ["--with-mcp", ...more], env);
  }
}

/**
 * For a file of tests: builds a service from the packed package and serves it while they run. Each test has a page of
 * its own, and fails when a script, the page's policy or a request to another host does.
 */
export function serveConsole(files: Readonly<Record<string, string>>): ServedConsole {
  const ui = new ServedConsole();
  beforeAll(async () => {
    ui.user = builtProject(files);
    // A test stops the service, and starts it again on its port.
    const port = String(await freePort());
    [ui.browser, ui.served] = await Promise.all([openBrowser(), ui.start("--port", port)]);
  });
  afterAll(async () => {
    await ui.browser.close();
    await ui.served.stop();
    ui.user.dispose();
  });
  beforeEach(async () => {
    ui.view = await openConsole(ui.browser);
  });
  afterEach(async () => {
    await ui.view.page.close();
    expect(ui.view.faults).toEqual([]);
  });
  return ui;
}
