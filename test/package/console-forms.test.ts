import { expect, test } from "vitest";
import { answersFiles } from "../support/answers-project.ts";
import { hostileTexts } from "../support/hostile-console-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const ui = serveConsole(answersFiles);

function texts(selector: string): Promise<readonly (string | null)[]> {
  return ui.view.page.$$eval(selector, (found) => found.map((one) => one.textContent));
}

async function expectAccessible(): Promise<void> {
  await ui.view.expectAccessible("light");
  await ui.view.expectAccessible("dark");
  await ui.view.page.setViewport({ width: 1440, height: 900 });
}

const request = async (): Promise<Record<string, unknown>> => {
  await ui.view.find("tab", "JSON").click();
  const text = await ui.view.page.$eval("textarea.json", (area) => (area as unknown as { value: string }).value);
  await ui.view.find("tab", "Form").click();
  return JSON.parse(text) as Record<string, unknown>;
};

test("enums with their texts, unions by their titles, tuples with their labels", async () => {
  await ui.open("tools/ship");
  await ui.view.page.locator("#field-\\/speed").wait();
  expect(await texts("#field-\\/speed option")).toEqual(["fast – At once, and dear.", "slow – Within a week."]);
  expect(await texts('select[aria-label="Type of /way"] option')).toEqual(["By ship", "By plane"]);
  const form = await ui.view.text("form");
  expect(form).toMatch(/latitude(.|\n)*longitude/);
  expect(form).not.toMatch(/\^|\\d/);
  expect(await texts('button[aria-label="Leave out latitude"]')).toEqual([]);
  expect((await request())["leaves"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
  await ui.view.fillIn(["combobox", "speed *"], "1");
  await ui.press("Call");
  await ui.view.shows(/slow sea 0,0/, answer);
  await expectAccessible();
});

test("a number of a union stays one while it is typed, and an optional element of a tuple is left out", async () => {
  await ui.open("tools/choose");
  await ui.view.page.locator('select[aria-label="Type of /id"]').wait();
  await ui.view.fillIn('select[aria-label="Type of /id"]', "1");
  await ui.fill("textbox", "id *", "-5");
  await ui.press("Leave out height");
  expect(await request()).toEqual({ id: -5, place: [0] });
  await ui.press("Call");
  await ui.view.shows(/2 rows(.|\n)*number/, answer);
  expect(await ui.view.text(answer)).not.toContain("native code");
});

test("the Enter key in the name of a request saves it, and calls nothing", async () => {
  await ui.open("tools/ship");
  await ui.view.find("tab", "Saved").click();
  await ui.fill("textbox", "Name of the request", "usual");
  await ui.view.page.keyboard.press("Enter");
  await ui.view.shows("usual", 'ul[aria-label="Saved requests"]');
  expect(await ui.view.text(answer)).toContain("Its answer is shown here.");
  await ui.view.page.evaluate("localStorage.clear()");
});

test("requests are saved by name, by keyboard alone, and forgotten", async () => {
  const { page } = ui.view;
  await ui.open("tools/ship");
  await ui.view.fillIn(["combobox", "speed *"], "1");
  await ui.press("+ accessToken");
  await ui.fill("textbox", "accessToken", "hidden-value");
  await page.focus('[role="tab"][aria-selected="true"]');
  await page.keyboard.press("End");
  await ui.view.shows("Both are without: accessToken", "form");
  await ui.fill("textbox", "Name of the request", hostileTexts[1]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await ui.view.shows(hostileTexts[1], 'ul[aria-label="Saved requests"]');
  await expectAccessible();
  await page.reload();
  await ui.view.page.locator("#field-\\/speed").wait();
  expect((await request())["speed"]).toBe("fast");
  await ui.view.find("tab", "Saved").click();
  await page.locator('ul[aria-label="Saved requests"] button').wait();
  await page.focus('ul[aria-label="Saved requests"] button');
  await page.keyboard.press("Enter");
  expect(await request()).toMatchObject({ speed: "slow" });
  expect(await page.evaluate("JSON.stringify({ ...localStorage })")).not.toContain("hidden-value");
  await ui.view.find("tab", "Saved").click();
  await page.$eval('ul[aria-label="Saved requests"] button[aria-label^="Forget"]', (button) =>
    (button as unknown as { click(): void }).click(),
  );
  await expect.poll(() => page.evaluate("localStorage.getItem(localStorage.key(0))")).toBe("{}");
  expect(await page.evaluate("window.ran ?? 0")).toBe(0);
});

test("saved requests that something else wrote are texts alone", async () => {
  await ui.open("tools/ship");
  await ui.view.page.evaluate(
    `localStorage.setItem("/docs" + JSON.stringify(["", "ship"]), ${JSON.stringify(
      JSON.stringify({ [hostileTexts[0]]: JSON.stringify({ remarks: hostileTexts }), broken: "{", other: 7 }),
    )})`,
  );
  await ui.view.page.reload();
  await ui.view.find("tab", "Saved").click();
  await ui.view.shows(hostileTexts[0], 'ul[aria-label="Saved requests"]');
  await ui.view.page.$eval('ul[aria-label="Saved requests"] button', (button) =>
    (button as unknown as { click(): void }).click(),
  );
  await expect.poll(async () => (await request())["remarks"]).toEqual(hostileTexts);
  expect(await ui.view.page.evaluate("window.ran ?? 0")).toBe(0);
  await ui.view.page.evaluate("localStorage.clear()");
});

test("a link carries the form, fills it and calls nothing; secrets are not in it", async () => {
  const filled = { speed: "slow", remarks: [...hostileTexts] };
  await ui.open(`tools/ship/${encodeURIComponent(JSON.stringify(filled))}`);
  await ui.view.page.locator("#field-\\/speed").wait();
  expect(await request()).toEqual(filled);
  await ui.view.shows("Its answer is shown here.", answer);
  expect(await ui.view.page.evaluate("window.ran ?? 0")).toBe(0);
  const jobs = (await (await fetch(`${ui.served.url}/jobs?tool=ship`)).json()) as { items: unknown[] };
  const before = jobs.items.length;
  // A text that cannot be read is kept, and not sent.
  await ui.open(`tools/ship/${encodeURIComponent("{not JSON")}`);
  const refusal = "The request is not a JSON object. Correct it in the JSON tab.";
  await ui.view.shows(refusal, "form.card");
  for (const other of ["[1]", "7", "null"]) {
    await ui.view.page.goto("about:blank");
    await ui.open(`tools/ship/${other}`);
    await ui.view.shows(refusal, "form.card");
  }
  await ui.press("Reset");
  await ui.view.page.locator("#field-\\/speed").wait();
  await ui.press("+ accessToken");
  await ui.fill("textbox", "accessToken", "hidden-value");
  await ui.view.page.evaluate(
    "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }",
  );
  await ui.view.find("tab", "Saved").click();
  await ui.press("Copy link");
  const copied = String(await ui.view.page.evaluate("window.copied"));
  expect(copied).toContain(`${ui.served.url}/docs#/tools/ship/`);
  expect(decodeURIComponent(copied)).toContain('"speed":"fast"');
  expect(decodeURIComponent(copied)).not.toMatch(/hidden-value|accessToken/);
  expect(((await (await fetch(`${ui.served.url}/jobs?tool=ship`)).json()) as { items: unknown[] }).items).toHaveLength(
    before,
  );
});

test("a link with an unknown kind shows what is sent, as JSON, until its kind is known and chosen", async () => {
  const way = 'select[aria-label="Type of /way"]';
  const chosen = (): Promise<string> =>
    ui.view.page.$eval(
      way,
      (one) => (one as unknown as { selectedOptions: { text: string }[] }).selectedOptions[0]?.text ?? "",
    );
  const openWith = async (value: object): Promise<void> => {
    await ui.view.page.goto("about:blank");
    await ui.open(`tools/ship/${encodeURIComponent(JSON.stringify({ speed: "slow", way: value }))}`);
    await ui.view.page.locator(way).wait();
  };
  await openWith({ way: "rail", port: "Ulm" });
  expect([await chosen(), await request()]).toEqual(["choose", { speed: "slow", way: { way: "rail", port: "Ulm" } }]);
  await ui.view.page.locator("textarea#field-\\/way").wait();
  await ui.fill("textbox", "way *", '{"way": "sea", "port": "Ulm"}');
  // The text stays, with the focus.
  expect([await chosen(), await ui.view.page.evaluate("document.activeElement.id")]).toEqual(["choose", "field-/way"]);
  await ui.view.fillIn(way, "0");
  await ui.view.page.locator("#field-\\/way\\/port").wait();
  expect([await chosen(), (await request())["way"]]).toEqual(["By ship", { way: "sea", port: "Ulm" }]);
  // An incomplete value of a known kind keeps its form.
  await openWith({ way: "air", port: 7 });
  expect(await chosen()).toBe("By plane");
});

test("a link with a list, a text or an object where the tool takes another shape shows what is sent", async () => {
  const sent = { speed: "slow", way: { way: "sea", port: "Ulm" }, remarks: { a: 1 }, position: 7 };
  await ui.view.page.goto("about:blank");
  await ui.open(`tools/ship/${encodeURIComponent(JSON.stringify(sent))}`);
  await ui.view.page.locator("textarea#field-\\/remarks").wait();
  expect(
    await ui.view.page.$eval("#field-\\/remarks", (one) => JSON.parse((one as unknown as { value: string }).value)),
  ).toEqual(sent.remarks);
  expect(await request()).toEqual(sent);
  await ui.fill("textbox", "position *", "[1, 2]");
  await ui.view.shows(/latitude(.|\n)*longitude/, "form");
  expect(await request()).toEqual({ ...sent, position: [1, 2] });
});
