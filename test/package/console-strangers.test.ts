import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answersFiles } from "../support/answers-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const ui = serveConsole(answersFiles);

/** Narrowest and widest windows: what a stranger needs is there by its text in both. */
const windows = [360, 2560];

/** Opens the console at its front page, as somebody does who has only its address. */
async function arrive(width: number): Promise<void> {
  await ui.view.page.setViewport({ width, height: 800 });
  await ui.view.page.goto(`${ui.served.url}/docs`);
  await ui.view.shows("Tests numbers.");
}

/** Clicks what shows a text, as the first such thing on the page. */
async function click(text: string): Promise<void> {
  await ui.view.page
    .locator(`::-p-xpath(//*[self::a or self::button][contains(normalize-space(.), "${text}")])`)
    .click();
}

/** Pixels that the page needs. */
function pageWidth(): Promise<number> {
  return ui.view.page.evaluate("document.documentElement.scrollWidth") as Promise<number>;
}

async function post(tool: string, request: object): Promise<void> {
  const headers = { "content-type": "application/json", "job-id": `${tool}-${Math.random().toString(36).slice(2)}` };
  await fetch(`${ui.served.url}/tool/${tool}`, { method: "POST", headers, body: JSON.stringify(request) });
}

describe.each(windows)("a stranger with a window of %s px", (width) => {
  test("finds the job that failed, and its cause", async () => {
    await post("orders", { count: 1 });
    await post("book", { guest: { name: "Ann", age: 12 } });
    await arrive(width);
    await click("Jobs");
    await ui.view.shows(/failed\s+book\s+Guests are at least 18 years old\./);
    expect(await pageWidth()).toBeLessThanOrEqual(width);
    await click("Guests are at least 18 years old.");
    await ui.view.shows(/‹ Jobs(.|\n)*book(.|\n)*ERROR(.|\n)*Guests are at least 18 years old\./);
    expect(await pageWidth()).toBeLessThanOrEqual(width);
  });

  test("calls a tool again with one value changed, and compares the answers", async () => {
    await arrive(width);
    await click("orders");
    await ui.fill("textbox", "count *", "2");
    await click("Call");
    await ui.view.shows("2 rows", answer);
    await ui.fill("textbox", "count *", "3");
    await click("Call again");
    await ui.view.shows("3 rows", answer);
    await click("Compare");
    await ui.view.shows(/\/byCustomer\/orders\/2/, answer);
    expect(await pageWidth()).toBeLessThanOrEqual(width);
  });

  test("finds which tool draws pictures", async () => {
    await arrive(width);
    await ui.fill("searchbox", "Search tools", "draw");
    await ui.view.shows(/Pictures.*\s+drawing\s+picture\s+Draws\./, "nav.side");
    await click("drawing");
    await click("Call");
    await expect.poll(() => ui.view.page.$$(`${answer} img`)).toHaveLength(1);
    expect(await pageWidth()).toBeLessThanOrEqual(width);
  });

  test("cancels a job that runs", async () => {
    await arrive(width);
    await click("linger");
    await ui.fill("textbox", "file *", join(ui.user.root, "never"));
    await click("Call");
    await ui.view.shows("look", answer);
    await click("Cancel");
    await ui.view.shows(/409(.|\n)*cancelled/i, answer);
    expect(await pageWidth()).toBeLessThanOrEqual(width);
  });

  test("sees what a model sees", async () => {
    await arrive(width);
    await click("Contract");
    await ui.view.find("tab", "MCP").click();
    await ui.view.shows(/tools take about \S+ tokens(.|\n)*drawing/, "main");
    await ui.view.page.locator("::-p-xpath(//summary[contains(., 'drawing')])").click();
    await ui.view.shows(/"Draws\."/, "main");
    expect(await pageWidth()).toBeLessThanOrEqual(width);
  });
});

test("with a keyboard alone a stranger finds the job that failed, and calls a tool", async () => {
  await post("book", { guest: { name: "Ann", age: 12 } });
  await arrive(1440);
  const { keyboard } = ui.view.page;
  const focused = (): Promise<string> =>
    ui.view.page.evaluate(`(({ innerText, labels, localName }) =>
      /^(a|button)$/.test(localName) ? innerText : (labels?.[0]?.innerText ?? ""))(document.activeElement)`) as Promise<string>;
  /** Presses Tab until the focus is on what shows a text. */
  const reach = async (text: RegExp): Promise<void> => {
    for (let left = 150; left > 0; left--) {
      await keyboard.press("Tab");
      if (text.test(await focused())) return;
    }
    throw new Error(`Tab does not lead to ${String(text)}.`);
  };
  await reach(/^Jobs$/);
  await keyboard.press("Enter");
  await ui.view.shows(/book\s+Guests are at least/, ".virtual");
  await reach(/Guests are at least 18 years old/);
  await keyboard.press("Enter");
  await ui.view.shows(/‹ Jobs(.|\n)*Guests are at least 18 years old\./);
  await reach(/^Tools$/);
  await keyboard.press("Enter");
  await ui.view.shows("orders", "nav.side");
  await reach(/^orders/);
  await keyboard.press("Enter");
  await ui.view.shows("orders", "article h1");
  await reach(/^count/);
  await keyboard.type("4");
  await keyboard.down("Control");
  await keyboard.press("Enter");
  await keyboard.up("Control");
  await expect.poll(() => ui.view.text(answer)).toMatch(/\d rows/);
});
