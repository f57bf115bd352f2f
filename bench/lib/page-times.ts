import type { Browser, Page } from "puppeteer-core";

/** Milliseconds from the begin of the navigation, by the page's own clock. */
export interface PageTimes extends Readonly<Record<string, number>> {
  /** First text or picture (`first-contentful-paint`). */
  readonly paint: number;
  /** The frame in which the looked-for element is there. */
  readonly shown: number;
}

/** Opens a page with an empty cache, and waits for the element that a selector names. */
export async function pageTimes(browser: Browser, url: string, selector: string): Promise<PageTimes> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    await page.evaluateOnNewDocument(`{
      const look = () => {
        if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look);
        else requestAnimationFrame(() => { window.shownAt = performance.now(); });
      };
      look();
    }`);
    await page.goto(url);
    const painted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
    await untilTrue(page, `window.shownAt > 0 && ${painted} > 0`);
    return (await page.evaluate(`({ paint: ${painted}, shown: window.shownAt })`)) as PageTimes;
  } finally {
    await context.close();
  }
}

/** Scrolls an element for so many frames, from its begin to its end; resolves to frames a second. */
export async function frameRate(page: Page, selector: string, frames: number): Promise<number> {
  return (await page.evaluate(`(async () => {
    const list = document.querySelector(${JSON.stringify(selector)});
    const frame = () => new Promise(requestAnimationFrame);
    list.scrollTop = 0;
    const step = (list.scrollHeight - list.clientHeight) / ${frames};
    const start = await frame();
    let last = start;
    for (let index = 1; index <= ${frames}; index++) {
      list.scrollTop = step * index;
      last = await frame();
    }
    return ${frames} * 1000 / (last - start);
  })()`)) as number;
}

/**
 * Evaluates an expression in each frame until it is true. Not `waitForFunction`, which the console's policy refuses.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      if (${expression}) resolve();
      else requestAnimationFrame(look);
    };
    look();
  })`);
}
