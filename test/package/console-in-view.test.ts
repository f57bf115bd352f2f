import { expect, test } from "vitest";
import { answersFiles } from "../support/answers-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const ui = serveConsole(answersFiles);

/** True where the whole element is on the screen, and nothing lies over its middle. */
function inView(selector: string): Promise<boolean> {
  return ui.view.page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && element.contains(over);
  })()`) as Promise<boolean>;
}

function scrollTo(selector: string, block: string): Promise<unknown> {
  return ui.view.page.evaluate(
    `document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: ${JSON.stringify(block)} })`,
  );
}

const button = "form button.primary";
const status = `${answer} .badge`;

test.each([
  [360, 740],
  [768, 1024],
  [1024, 700],
  [1280, 600],
  [1440, 900],
  [2560, 1440],
])(
  "at %d × %d the button and the answer of a long form are on the screen, by keyboard alone",
  async (width, height) => {
    await ui.view.page.setViewport({ width, height });
    await ui.open("tools/long");
    await ui.view.page.locator("#field-\\/field29").wait();
    expect(await inView(button)).toBe(true);
    for (const field of [0, 15, 29]) {
      await ui.view.page.focus(`#field-\\/field${field}`);
      expect([field, await inView(`#field-\\/field${field}`), await inView(button)]).toEqual([field, true, true]);
    }
    await ui.view.page.keyboard.press("Tab");
    expect(await ui.view.page.evaluate(`document.activeElement.matches(${JSON.stringify(button)})`)).toBe(true);
    await ui.view.page.keyboard.press("Enter");
    await ui.view.shows(/200(.|\n)*sum/, answer);
    await expect.poll(() => inView(status)).toBe(true);
    expect(await inView(button)).toBe(true);
    // Beside the form the answer stays, wherever the form is.
    const isBeside = await ui.view.page.evaluate(
      `document.querySelector("form").getBoundingClientRect().right < document.querySelector(${JSON.stringify(answer)}).getBoundingClientRect().left`,
    );
    expect(isBeside).toBe(width >= 1200);
    for (const field of isBeside === true ? [0, 15, 29] : []) {
      await scrollTo(`#field-\\/field${field}`, "center");
      expect([field, await inView(status), await inView(button)]).toEqual([field, true, true]);
    }
  },
);

test("nothing for axe in either theme, and nothing wider than a phone", async () => {
  await ui.open("tools/long");
  await ui.press("Call");
  await ui.view.shows("200", answer);
  await ui.view.expectAccessible("light");
  await ui.view.expectAccessible("dark");
  expect(await ui.view.text(answer)).toContain("sum");
});
