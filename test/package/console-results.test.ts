import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answersFiles } from "../support/answers-project.ts";
import { hostileTexts } from "../support/hostile-console-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const ui = serveConsole(answersFiles);

/** Calls a tool with values for its fields. */
async function call(tool: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
  await ui.open(`tools/${tool}`);
  for (const [name, value] of Object.entries(values)) await ui.fill("textbox", `${name} *`, value);
  await ui.press("Call");
  await ui.view.shows("200", answer);
}

/** Scripts of an answer that have run, and addresses in it that would. */
function harm(): Promise<unknown> {
  return ui.view.page.evaluate(`({
    ran: window.ran ?? 0,
    links: [...document.querySelectorAll("a")].map((link) => link.href).filter((href) => !/^(https?|blob):/.test(href)),
    made: document.querySelectorAll(${JSON.stringify(`${answer} :is(script, style, svg, iframe, [onerror], [onload])`)}).length,
  })`);
}
const none = { ran: 0, links: [], made: 0 };

async function expectAccessible(): Promise<void> {
  await ui.view.expectAccessible("light");
  await ui.view.expectAccessible("dark");
  await ui.view.page.setViewport({ width: 1440, height: 900 });
}

/** A property of each picture of the answer. */
function pictures(): Promise<unknown> {
  return ui.view.page.$$eval(`${answer} img`, (images) =>
    images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
  );
}

test("contents are shown as what they are: Markdown, pictures, links", async () => {
  await call("gallery");
  await expect.poll(pictures).toEqual([1, 40]);
  expect(
    await ui.view.page.$$eval(`${answer} .markdown > b, ${answer} em`, (found) => found.map((one) => one.textContent)),
  ).toEqual(["Two plots", "first"]);
  const links = await ui.view.page.$$eval(`${answer} .blocks a:not([download])`, (found) =>
    found.map((one) => [one.textContent, one.getAttribute("href"), one.getAttribute("rel")]),
  );
  expect(links).toEqual([["More of them", "https://example.org/more", "noreferrer noopener"]]);
  expect(await harm()).toEqual(none);
  await expectAccessible();
  // The list of tools has words, not marks.
  await expect.poll(() => ui.view.text('.tool-list a[aria-current="page"]')).toContain("all kinds of content.");
});

test.each(["drawing", "sketch", "sketches"])("%s is a picture that runs nothing and asks nobody", async (tool) => {
  await call(tool);
  await expect.poll(pictures).toEqual([40]);
  expect(await harm()).toEqual(none);
  await ui.view.find("tab", "Text").click();
  await ui.view.shows("<script>", answer);
  expect(await harm()).toEqual(none);
  await expectAccessible();
});

test("a text of Markdown reads as such, and nothing of it runs", async () => {
  await call("letter");
  await ui.view.shows(/Dear <img/, `${answer} .markdown > b`);
  expect(await ui.view.page.$$eval(`${answer} li`, (found) => found.map((one) => one.textContent))).toEqual([
    "one",
    "two",
  ]);
  expect(await harm()).toEqual(none);
  await ui.view.find("tab", "Text").click();
  await ui.view.shows("## Dear", answer);
});

test("a text has its tables, quotes and lines, and what is struck out", async () => {
  await call("report");
  const texts = (selector: string): Promise<readonly string[]> =>
    ui.view.page.$$eval(`${answer} .markdown ${selector}`, (found) => found.map((one) => one.textContent));
  await expect.poll(() => texts("th")).toEqual(["what", "how much"]);
  expect(await texts("td")).toEqual(["rent", "7", `a | b ${hostileTexts[1]}`, "8"]);
  expect(await texts("td.number")).toEqual(["7", "8"]);
  await expect.poll(() => texts("li")).toEqual(["rent", "food"]);
  expect(await texts("blockquote p")).toEqual(["Saved is\nearned."]);
  expect(await texts("hr + p s")).toEqual(["Nine"]);
  expect(await harm()).toEqual(none);
  await expectAccessible();
});

test("lists of objects are tables wherever they stand, with count, order and times with their zone", async () => {
  await call("orders", { count: "12" });
  await ui.view.shows(/12 rows(.|\n)*orderedAt/, answer);
  // A column is called by the title that its author gave it, and its key is the hint.
  const heads = await ui.view.page.$$eval(`${answer} table[aria-rowcount="13"] > thead th`, (found) =>
    found.map((head) => [head.textContent, head.getAttribute("title")]),
  );
  expect(heads).toEqual([
    ["Number of the order", "id"],
    ["orderedAt", null],
    ["Lines <img src=x onerror=window.ran=9>", "lines: Ordered things."],
  ]);
  expect(await harm()).toEqual(none);
  await ui.view.shows(/Mar 1, 2026, .* (UTC|GMT)/, answer);
  await expect
    .poll(() => ui.view.page.$$eval(`${answer} .markdown li`, (found) => found.map((one) => one.textContent)))
    .toEqual(["first", "second"]);
  const ids = (): Promise<readonly string[]> =>
    ui.view.page.$$eval(`${answer} table[aria-rowcount="13"] > tbody > tr > td:first-child`, (cells) =>
      cells.map((cell) => cell.textContent),
    );
  expect((await ids()).slice(0, 2)).toEqual(["0", "7919"]);
  await ui.press("Number of the order");
  await expect.poll(async () => (await ids()).map(Number)).toEqual((await ids()).map(Number).toSorted((a, b) => a - b));
  expect(await ui.view.page.$eval(`${answer} th`, (head) => head.getAttribute("aria-sort"))).toBe("ascending");
  expect(
    await ui.view.page.evaluate(
      `getComputedStyle(document.querySelector(${JSON.stringify(`${answer} td.number`)})).textAlign`,
    ),
  ).toBe("right");
  await expectAccessible();
  // A list in a row is closed, so that many rows are in view.
  const inner = (): Promise<number> => ui.view.page.$$eval(`${answer} td table`, ({ length }) => length);
  expect(await inner()).toBe(0);
  await ui.view.page.locator(`${answer} td summary`).click();
  await expect.poll(inner).toBe(1);
  expect(await harm()).toEqual(none);
});

test("the schema of a result says each type once, with the fields of lists", async () => {
  await ui.open("tools/orders");
  const schema = 'section[aria-label="Result schema"]';
  await ui.view.shows(/byCustomer \* object\s+2 fields\s+name \* text\s+orders \* list of Order\s+3 fields/, schema);
  await ui.view.page.locator(`${schema} details details summary`).click();
  await ui.view.shows(/id \* number(.|\n)*lines \* list of Line\s+Ordered things\.\s+2 fields/, schema);
  const text = await ui.view.page.$eval(schema, (card) => card.textContent);
  expect(text.match(/list of \w+/g)).toEqual(["list of Order", "list of Line"]);
});

test("of a table of thousands few rows are elements, and its end can be reached", async () => {
  await call("orders", { count: "5000" });
  await ui.view.shows("5000 rows", answer);
  const rows = (): Promise<readonly (string | null)[]> =>
    ui.view.page.$$eval(`${answer} tr[aria-rowindex]`, (found) =>
      found.map((row) => row.getAttribute("aria-rowindex")),
    );
  expect((await rows()).length).toBeLessThan(100);
  await ui.view.page.$eval(`${answer} .scroll`, (box) => void (box.scrollTop = box.scrollHeight));
  await expect.poll(async () => (await rows()).at(-1)).toBe("5001");
  expect((await rows()).length).toBeLessThan(100);
  await expectAccessible();
});

test("a table has every column, says how many are left, and opens what it has cut", async () => {
  await call("wide", { count: "700" });
  await ui.view.shows("700 rows", answer);
  const heads = (): Promise<number> => ui.view.page.$$eval(`${answer} th`, (found) => found.length);
  expect(await heads()).toBe(30);
  await ui.press("11 more columns");
  await expect.poll(heads).toBe(41);
  await ui.view.shows("last", `${answer} thead`);
  await ui.view.page.locator(`${answer} td button`).click();
  await ui.view.shows("long whole", `${answer} .opened`);
  await expectAccessible();
  await ui.press("Close");
  await expect.poll(() => ui.view.text(`${answer} .opened`)).toBe("");
});

test.each([360, 1280])("at %d px short texts and dates of a table are on one line", async (width) => {
  await ui.view.page.setViewport({ width, height: 800 });
  await call("wide", { count: "3" });
  await ui.view.shows("3 rows", answer);
  const heights = await ui.view.page.$$eval(`${answer} tbody tr:last-child td`, (cells) =>
    cells.map((cell) => (cell as unknown as { offsetHeight: number }).offsetHeight),
  );
  expect(Math.max(...heights)).toBeLessThan(40);
});

test.each([360, 768, 1280])("at %d px a field's name and its mark are on one line", async (width) => {
  await ui.view.page.setViewport({ width, height: 800 });
  await ui.open("tools/rate");
  await ui.view.shows(/level \*/, "form");
  const heights = await ui.view.page.$$eval(".field-head label", (labels) =>
    labels.map((label) => (label as unknown as { offsetHeight: number }).offsetHeight),
  );
  expect(Math.max(...heights)).toBeLessThan(30);
});

test("of a list of 100,000 texts few are elements, and its end is reached by keyboard", async () => {
  await call("names", { count: "100000" });
  await ui.view.shows(/100002 values(.|\n)*100000 values/, answer);
  await ui.view.shows(hostileTexts[0], `${answer} .plain`);
  expect(await harm()).toEqual(none);
  const elements = (): Promise<number> => ui.view.page.$$eval(`${answer} .plain li`, (found) => found.length);
  expect(await elements()).toBeLessThan(200);
  await expectAccessible();
  await ui.view.page.focus(`${answer} .plain .virtual`);
  // A browser ignores a key while it still scrolls for the one before.
  const pressed = async (key: "End" | "PageUp" | "Home"): Promise<string> => {
    await ui.view.page.keyboard.press(key);
    return ui.view.text(`${answer} .plain`);
  };
  await expect.poll(() => pressed("End")).toMatch(/100001:?\s*"name 99999"/);
  await expect.poll(() => pressed("PageUp")).not.toContain("name 99999");
  await expect.poll(() => pressed("Home")).toMatch(/0:?\s*"<script>/);
  expect(await elements()).toBeLessThan(200);
});

test("of a job with many steps the latest are elements, and the others when they are asked for", async () => {
  await call("march", { count: "150" });
  await ui.view.shows(/50 more earlier steps(.|\n)*step 149/, `${answer} .steps`);
  const steps = (): Promise<number> => ui.view.page.$$eval(`${answer} .steps .step-name`, (found) => found.length);
  expect(await steps()).toBe(100);
  await expectAccessible();
  await ui.view.page.focus(`${answer} .steps button`);
  await ui.view.page.keyboard.press("Enter");
  await expect.poll(steps).toBe(150);
  // The focus goes to the first of the new rows.
  await expect.poll(() => ui.view.page.evaluate("document.activeElement.innerText")).toMatch(/step 0\b/);
  await ui.view.shows(/step 0\b/, `${answer} .steps`);
});

test("a tree has the values of a result, and its text also names the schema", async () => {
  await call("march", { count: "1" });
  await ui.view.shows(/\{1\}\s*steps:?\s*1/, answer);
  expect(await ui.view.text(answer)).not.toContain("$schema");
  await ui.view.find("tab", "Text").click();
  await ui.view.shows('"$schema": "urn:example:schema.march.1"', answer);
});

test("a time stands on one line, however narrow its column is", async () => {
  await call("orders", { count: "12" });
  await ui.view.page.setViewport({ width: 360, height: 740 });
  const lines = await ui.view.page.$$eval(`${answer} time`, (found) =>
    found.map((time) => (time as unknown as { getClientRects: () => { length: number } }).getClientRects().length),
  );
  expect(lines).toEqual(Array.from({ length: 13 }, () => 1));
  expect(await ui.view.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
});

test("two answers of one tool are compared", async () => {
  await call("orders", { count: "2" });
  await ui.fill("textbox", "count *", "3");
  await ui.press("Call again");
  await ui.view.shows("3 rows", answer);
  await ui.view.find("tab", "Compare").click();
  await ui.view.shows(/\/byCustomer\/orders\/2/, answer);
  expect(await ui.view.page.$$eval(`${answer} ins`, (found) => found.length)).toBe(1);
  await expectAccessible();
  await ui.press("Call again");
  await ui.view.shows("3 rows", answer);
  await ui.view.find("tab", "Compare").click();
  await ui.view.shows("Same as before.", answer);
});

test("a call goes on while the page shows something else, and its answer is there after it", async () => {
  const file = join(ui.user.root, "lingered");
  await ui.open("tools/linger");
  await ui.fill("textbox", "file *", file);
  await ui.press("Call");
  await ui.view.shows(/executing(.|\n)*look/, answer);
  await ui.view.find("link", "Jobs").click();
  await ui.view.shows("linger", ".virtual");
  await ui.view.page.goBack();
  await ui.view.shows(/executing(.|\n)*look/, answer);
  await ui.view.find("button", "Cancel").wait();
  await ui.view.find("link", "Jobs").click();
  await ui.view.shows("linger", ".virtual");
  writeFileSync(file, "");
  await expect.poll(() => ui.view.text(".virtual")).toMatch(/succeeded\s+linger/);
  await ui.view.page.goBack();
  await ui.view.shows(/200(.|\n)*look(.|\n)*found/, answer);
  await ui.press("Call again");
  await ui.view.find("tab", "Compare").click();
  await ui.view.shows("Same as before.", answer);
});

test("addresses in texts are links, and integers in texts are sorted and aligned as numbers", async () => {
  await call("ledger");
  await ui.view.shows("3 rows", answer);
  const balances = (): Promise<unknown> =>
    ui.view.page.$$eval(`${answer} td.number`, (cells) => cells.map(({ textContent }) => textContent));
  for (const _ of ["up", "down"]) await ui.press("balance");
  await expect.poll(balances).toEqual(["12345678901234567890", "20", "-3"]);
  await ui.press("balance");
  await ui.press("balance");
  await expect.poll(balances).toEqual(["-3", "20", "12345678901234567890"]);
  const links = await ui.view.page.$$eval(`${answer} td a, article header a:not(.back)`, (found) =>
    found.map((one) => [one.textContent, one.getAttribute("href"), one.getAttribute("rel")]),
  );
  expect(links).toEqual(
    ["accounts", "-3", "20", "12345678901234567890"].map((name) => {
      const address = `https://example.org/${name}`;
      return [address, address, "noreferrer noopener"];
    }),
  );
  await ui.view.find("tab", "Text").click();
  await expect.poll(() => ui.view.page.$$eval(`${answer} pre a`, (found) => found.length)).toBe(3);
  expect(await harm()).toEqual(none);
});
