import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answersFiles } from "../support/answers-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const ui = serveConsole(answersFiles);

const focused = (): Promise<unknown> => ui.view.page.evaluate("document.activeElement.id");

test("an error is a sentence with its problems by field, its kind and what to do; its raw form is a tab away", async () => {
  await ui.open("tools/book");
  await ui.fill("textbox", "name *", "Ann");
  await ui.fill("textbox", "age *", "12");
  await ui.press("Call");
  await ui.view.shows(
    /Guests are at least 18 years old\.(.|\n)*user-input Change the request and call again\./,
    answer,
  );
  expect(await ui.view.text(answer)).not.toContain("$schema");
  await ui.view.expectAccessible("light");
  await ui.view.expectAccessible("dark");
  await ui.view.page.setViewport({ width: 1440, height: 900 });
  await ui.fill("textbox", "age *", "many");
  await ui.press("Call again");
  await ui.view.shows(/\/guest\/age.*Expected(.|\n)*validation Change the request and call again\./, answer);
  await ui.view.expectAccessible("light");
  await ui.view.expectAccessible("dark");
  await ui.view.find("tab", "Text").click();
  await ui.view.shows('"urn:platform:problem:validation"', answer);
});

test.each([
  [360, 740],
  [1440, 900],
])("at %d × %d a problem leads to its field by keyboard, also from the request as JSON", async (width, height) => {
  await ui.view.page.setViewport({ width, height });
  await ui.open("tools/book");
  await ui.fill("textbox", "age *", "many");
  await ui.press("Call");
  await ui.view.shows("/guest/age", answer);
  await ui.view.find("tab", "JSON").click();
  await ui.view.page.locator("textarea.json").wait();
  await ui.view.page.focus(`${answer} .problems button`);
  await ui.view.page.keyboard.press("Enter");
  await expect.poll(focused).toBe("field-/guest/age");
  const top = await ui.view.page.evaluate("document.activeElement.getBoundingClientRect().top");
  expect(top).toBeGreaterThan(50);
  expect(top).toBeLessThan(height - 60);
});

test("a call beyond a limit has no link to a job, and advice fits where another request would not help", async () => {
  const file = join(ui.user.root, "room");
  const body = JSON.stringify({ file });
  const headers = { "content-type": "application/json", prefer: "respond-async" };
  expect((await fetch(`${ui.served.url}/tool/single`, { method: "POST", headers, body })).status).toBe(202);
  await ui.open("tools/single");
  await ui.press("Call");
  await ui.view.shows(/429(.|\n)*Call again in a moment\./, answer);
  expect(await ui.view.page.$$(`${answer} a.mono`)).toEqual([]);
  writeFileSync(file, "");
  await ui.open("tools/wonder");
  await ui.press("Call");
  await ui.view.shows(/400(.|\n)*user-input Call it in the MCP view, which asks you\./, answer);
  expect(await ui.view.text(answer)).not.toContain("Change the request");
});

test("a job that is refused when it is run again says why", async () => {
  const { page } = ui.view;
  await ui.open("tools/letter");
  await ui.press("Call");
  await ui.view.shows("200", answer);
  await page.locator(`${answer} a.mono`).click();
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (request.method() !== "POST") return void request.continue();
    void request.respond({ status: 429, contentType: "application/json", body: '{"detail":"Too many at once."}' });
  });
  const before = await page.evaluate("location.hash");
  await ui.press("Run again");
  await ui.view.shows("Too many at once.", "main");
  expect(await page.evaluate("location.hash")).toBe(before);
});

test("a double click on Run again starts one job, also if its second half falls on the page of that job", async () => {
  const { page } = ui.view;
  await ui.open("tools/letter");
  await ui.press("Call");
  await ui.view.shows("200", answer);
  await page.locator(`${answer} a.mono`).click();
  const runAgain = await ui.view.find("button", "Run again").waitHandle();
  const { x, y, width, height } = (await runAgain.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // The time of a double click ends late, since a busy machine may need longer for these presses.
  await page.evaluate(
    "{ const plain = setTimeout; window.setTimeout = (run, ms) => plain(run, ms === 500 ? 60_000 : ms); }",
  );
  const starts = new Set<string>();
  page.on("request", (request) => {
    if (request.method() === "POST") starts.add(request.headers()["job-id"] ?? "");
  });
  const before = await page.evaluate("location.hash");
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect.poll(() => page.evaluate("location.hash")).not.toBe(before);
  // On the page of the new job its button stands in the same place.
  await ui.view.find("button", "Run again").click();
  await ui.view.shows("Run again", "main header");
  expect(starts.size).toBe(1);
});

test("a service that is not under development tells no stack", async () => {
  await ui.open("tools/sell");
  await ui.fill("textbox", "item *", "nothing");
  await ui.press("Call");
  await ui.view.shows(/500(.|\n)*A fault of the service: its log has the cause\./, answer);
  expect(await ui.view.text(answer)).not.toMatch(/price\.ts|No price/);
  const jobs = (await (await fetch(`${ui.served.url}/jobs`)).json()) as { items: { id: string }[] };
  expect((await fetch(`${ui.served.url}/jobs/${jobs.items[0]?.id ?? ""}/debug`)).status).toBe(404);
});
