import axe from "axe-core";
import type { Browser, Page } from "puppeteer-core";
import { expect } from "vitest";

/** A page of the console as somebody with a screen reader has it. */
export interface ConsoleView {
  readonly page: Page;
  /** An element by its role and name. */
  find(role: string, name: string): ReturnType<Page["locator"]>;
  /** Fills a field by its role and name, or by a selector: a text is typed over the one that is there. */
  fillIn(field: readonly [role: string, name: string] | string, text: string): Promise<void>;
  text(selector?: string): Promise<string>;
  /** Waits until an element shows a text; default the whole page. */
  shows(part: string | RegExp, selector?: string): Promise<void>;
  /** Findings of axe, and that the page fits a phone. Changes the size of the window. */
  expectAccessible(scheme: "light" | "dark"): Promise<void>;
  /** Errors of scripts, refusals of the page's policy, and requests to other hosts. */
  readonly faults: string[];
}

/** Opens an empty page. */
export async function openConsole(browser: Browser): Promise<ConsoleView> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && !origin.startsWith("http://127.0.0.1:")) faults.push(request.url());
  });
  await page.setViewport({ width: 1440, height: 900 });
  const text = (selector = "body"): Promise<string> =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`) as Promise<string>;
  const find = (role: string, name: string): ReturnType<Page["locator"]> =>
    page.locator(`::-p-aria([name="${name}"][role="${role}"])`);
  return {
    page,
    faults,
    text,
    find,
    fillIn: (field, value) => fillIn(page, typeof field === "string" ? page.locator(field) : find(...field), value),
    shows: (part, selector) => expect.poll(() => text(selector)).toMatch(part),
    async expectAccessible(scheme) {
      await page.setViewport({ width: 1440, height: 900 });
      await page.emulateMediaFeatures([
        { name: "prefers-color-scheme", value: scheme },
        // A colour on its way to the other scheme would be judged.
        { name: "prefers-reduced-motion", value: "reduce" },
      ]);
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate("axe.run()")) as {
        violations: readonly { id: string; nodes: readonly { html: string }[] }[];
      };
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
      await page.setViewport({ width: 360, height: 740 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    },
  };
}

/**
 * Types over the text of a field. `Locator.fill` empties the field first, and a page that renders before the first key
 * puts the old text back.
 */
async function fillIn(page: Page, locator: ReturnType<Page["locator"]>, text: string): Promise<void> {
  const field = await locator.setVisibility("visible").waitHandle();
  const isTyped = await field.evaluate((element) => {
    const input = element as unknown as { matches(selector: string): boolean; focus(): void; select(): void };
    if (!input.matches("textarea, input:not([type=date], [type=datetime-local])")) return false;
    input.focus();
    input.select();
    return true;
  });
  if (!isTyped) await locator.fill(text);
  else if (text === "") await page.keyboard.press("Backspace");
  else if (text.length > 100) await page.keyboard.sendCharacter(text);
  else await page.keyboard.type(text);
}
