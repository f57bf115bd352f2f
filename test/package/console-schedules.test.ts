import { expect, test } from "vitest";
import { primeFiles } from "../support/prime-project.ts";
import { serveConsole } from "../support/served-console.ts";

const tools = `
/**
 * Counts.
 * @tool
 * @schedule "* * * * * *" {"account": "house"} overlap=allow
 * @schedule "0 3 * * 1-5" Europe/Zurich {"account": "garden"} missed=skip jitter=30s
 */
export function sweep(account: string): string {
  return account + " is swept";
}
`;

const ui = serveConsole({
  ...primeFiles,
  "src/service.ts": (primeFiles["src/service.ts"] ?? "").replace(
    'import "./is-prime.js";',
    'import "./is-prime.js";\nimport "./sweep.js";',
  ),
  "src/sweep.ts": tools,
});

const [each, days] = ['section[aria-label="sweep 1"]', 'section[aria-label="sweep 2"]'];

test("schedules: next on the clock of their zone, what they ask for, and their jobs", async () => {
  await ui.open("tools");
  await ui.view.find("link", "Schedules").click();
  await ui.view.shows(/\* \* \* \* \* \*\s*UTC\s*active(.|\n)*\{"account":"house"\}(.|\n)*Both jobs run\./, each);
  await ui.view.shows(/succeeded\s*\w+ \d+, \d{4}, \d+:\d\d:\d\d [AP]M UTC/, each);
  await ui.view.shows(
    /Next(.|\n)*3:00:00(.|\n)*in \d+ [hd] \d+ (h|min)(.|\n)*none yet(.|\n)*left out\.(.|\n)*up to 30\.0 s/,
    days,
  );
  await ui.view.shows("No job of it is kept.", days);
  await ui.view.page.$eval(`${each} .firings a`, (link) => (link as unknown as { click(): void }).click());
  await ui.view.shows(/house is swept/, "main");
  expect(await ui.view.text("h1")).toBe("sweep");
});

test("Open tool fills the form with the request of the schedule", async () => {
  await ui.open("schedules");
  await ui.view.shows("active", days);
  await ui.view.page.locator(`${days} a.button`).click();
  await expect
    .poll(() => ui.view.page.$eval("main textarea, main input", (field) => Reflect.get(field, "value")))
    .toBe("garden");
});

test("the keyboard alone pauses a schedule and lets it go on", async () => {
  await ui.open("schedules");
  await ui.view.shows("active", each);
  await ui.view.page.focus(`${each} button`);
  await ui.view.page.keyboard.press("Enter");
  await ui.view.shows("sweep 1 is paused, for all replicas.", "main");
  await ui.view.shows(/paused(.|\n)*none while it is paused/, each);
  const items = async (): Promise<readonly { paused: boolean }[]> =>
    ((await (await fetch(`${ui.served.url}/schedules`)).json()) as { items: readonly { paused: boolean }[] }).items;
  expect((await items()).map(({ paused }) => paused)).toEqual([true, false]);
  await ui.view.page.focus(`${each} button`);
  await ui.view.page.keyboard.press("Enter");
  await ui.view.shows("sweep 1 goes on with its next time.", "main");
  await ui.view.shows(/active(.|\n)*in \d s/, each);
  expect((await items()).map(({ paused }) => paused)).toEqual([false, false]);
});

test.each(["light", "dark"] as const)("no fault for a screen reader, %s, and fits a phone", async (scheme) => {
  await ui.open("schedules");
  await ui.view.shows("succeeded", each);
  expect(await ui.view.text("h1")).toBe("Schedules");
  await ui.view.expectAccessible(scheme);
});
