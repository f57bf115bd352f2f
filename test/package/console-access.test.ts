import { join } from "node:path";
import type { KeyInput } from "puppeteer-core";
import { expect, test } from "vitest";
import { consoleFiles } from "../support/console-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const ui = serveConsole(consoleFiles);
const key = (name: KeyInput): Promise<void> => ui.view.page.keyboard.press(name);

/** The text about a call that a screen reader says. */
const said = `${answer} [role=status]`;

/** Waits until an element with a name has the focus, which has not fallen to the body. */
const hasFocus = (name: string): Promise<void> => expect.poll(async () => (await focused()).name).toBe(name);

interface Stop {
  readonly name: string;
  readonly isOutlined: boolean;
}

/** Finds the element that has the focus, and if that can be seen. */
function focused(): Promise<Stop> {
  return ui.view.page.evaluate(`(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    // A page that was opened has it.
    if (element === document.body) return { name: "", isOutlined: true };
    const name = element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText ?? "";
    return {
      name: name.trim().replace(/\\s+/g, " "),
      isOutlined: (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none",
    };
  })()`) as Promise<Stop>;
}

/** Presses Tab until an element whose name begins so has the focus. Each stop on the way can be seen. */
async function tabTo(start: string): Promise<void> {
  const passed: string[] = [];
  while (passed.length < 120) {
    await key("Tab");
    const { name, isOutlined } = await focused();
    if (name !== "" && !isOutlined) throw new Error(`Nobody sees that ${name} has the focus.`);
    if (name.startsWith(start)) return;
    passed.push(name);
  }
  throw new Error(`Tab does not reach ${start}, only ${passed.join(" | ")}.`);
}

test("the keyboard alone searches, calls, cancels, and goes from the list to the job and back to an edited call", async () => {
  await ui.open("tools");
  await ui.view.shows("isPrime");
  await tabTo("Skip to content");
  await tabTo("Search tools");
  await ui.view.page.keyboard.type("until a file");
  await tabTo("wait");
  await key("Enter");
  await tabTo("file");
  await ui.view.page.keyboard.type(join(ui.user.root, "never"));
  await tabTo("Call");
  await key("Enter");
  await ui.view.shows(/executing(.|\n)*look/, answer);
  await ui.view.shows(/^Running/, said);
  expect((await focused()).name).toBe("Running…");
  await tabTo("Cancel");
  await key("Enter");
  await ui.view.shows(/409(.|\n)*cancelled/, answer);
  await ui.view.shows(/^Ended with an error after [\d.]+ m?s\.$/, said);
  // A second press of Enter on Cancel calls nothing.
  await hasFocus("wait");
  await tabTo("Jobs");
  await key("Enter");
  await ui.view.shows(/cancelled\s+wait/, ".virtual");
  await tabTo("Jobs, the latest first");
  await key("Tab");
  await key("Enter");
  await ui.view.shows(/cancelled(.|\n)*Timeline/i, "main");
  await hasFocus("wait");
  const before = await ui.view.page.evaluate("location.hash");
  await tabTo("Run again");
  await key("Enter");
  await expect.poll(() => ui.view.page.evaluate("location.hash")).not.toBe(before);
  await ui.view.shows(/executing(.|\n)*look/, "main");
  await hasFocus("wait");
  await tabTo("Cancel");
  await key("Enter");
  await ui.view.shows(/cancelled(.|\n)*Timeline/i, "main");
  // A second press of Enter on Cancel runs nothing, and does not leave the page.
  await hasFocus("wait");
  await key("Enter");
  await tabTo("Edit and run again");
  await key("Enter");
  await ui.view.shows("Waits until a file is there", "article");
  await hasFocus("wait");
  await tabTo("Form");
  await key("ArrowRight");
  expect(await focused()).toEqual({ name: "JSON", isOutlined: true });
  await tabTo("Request as JSON");
  await ui.view.page.keyboard.down("Control");
  await key("KeyA");
  await ui.view.page.keyboard.up("Control");
  await ui.view.page.keyboard.type(JSON.stringify({ file: ui.user.root }));
  await ui.view.page.keyboard.down("Control");
  await key("Enter");
  await ui.view.page.keyboard.up("Control");
  await ui.view.shows(/200(.|\n)*found/, answer);
  // The link that leads past the list of all tools.
  await ui.view.page.goto("about:blank");
  await ui.open("tools");
  await ui.view.shows("isPrime");
  await tabTo("Skip to content");
  await key("Enter");
  await tabTo("Form");
});

test("with the colours of the user, bars are seen, and what is chosen is marked", async () => {
  const { page } = ui.view;
  await ui.open("tools/isPrime");
  await ui.press("Call");
  await ui.view.shows(/200(.|\n)*factorise/, answer);
  const cdp = await page.createCDPSession();
  await cdp.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  const styleOf = (selector: string, property: string): Promise<unknown> =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`);
  const ground = await styleOf("body", "backgroundColor");
  await expect.poll(() => styleOf(".steps .bar i", "backgroundColor")).not.toBe(ground);
  await expect.poll(() => styleOf("nav a[aria-current]", "backgroundColor")).not.toBe(ground);
  await expect.poll(() => styleOf(".tool-list a[aria-current]", "backgroundColor")).not.toBe(ground);
  await expect.poll(() => styleOf('[role=tab][aria-selected="true"]', "borderBottomColor")).not.toBe(ground);
  await expect.poll(() => styleOf('[role=tab][aria-selected="false"]', "borderBottomColor")).toBe(ground);
});

test("on a phone, the names of all views and the reason of a failure are in view", async () => {
  const { page } = ui.view;
  await ui.open("tools/plan");
  await ui.fill("textbox", "title *", "ab");
  await ui.press("Call");
  await ui.view.shows("422", answer);
  await page.setViewport({ width: 360, height: 740 });
  const isInView =
    "(one) => { const { left, right } = one.getBoundingClientRect(); return left >= 0 && right <= 360; }";
  expect(await page.evaluate(`[...document.querySelectorAll(".top nav a")].every(${isInView})`)).toBe(true);
  await page.locator('.top nav a[href="#/jobs"]').click();
  await ui.view.shows("isPrime", ".virtual");
  const width = await page.evaluate("document.querySelector('.job-row .why').getBoundingClientRect().width");
  expect(width).toBeGreaterThan(280);
  // The way back leads to the tool that was open.
  await page.locator(".top nav a").click();
  await ui.view.shows("Make a plan", "h1");
  expect(await page.evaluate("document.querySelector('h1, h2, h3').tagName")).toBe("H1");
});

/** Each view of the page, and each state of a call, with what is done to come there. */
const states: Readonly<Record<string, () => Promise<void>>> = {
  "the tools": async () => {
    await ui.open("tools");
    await ui.view.shows("isPrime");
  },
  "a form with problems": async () => {
    await ui.open("tools/plan");
    await ui.fill("textbox", "title *", "ab");
    await ui.press("Call");
    await ui.view.shows("422", answer);
  },
  "an answer as a table": async () => {
    await ui.open("tools/plan");
    await ui.press("+ item");
    await ui.press("Call");
    await ui.view.shows("200", answer);
  },
  "a request as JSON": async () => {
    await ui.open("tools/plan");
    await ui.view.find("tab", "JSON").click();
  },
  "a request to copy": async () => {
    await ui.open("tools/plan");
    await ui.view.find("tab", "Copy as").click();
    await ui.view.shows("curl");
  },
  "a running call": async () => {
    await ui.open("tools/wait");
    await ui.view.fillIn(["textbox", "file *"], join(ui.user.root, "never"));
    await ui.press("Call");
    await ui.view.shows(/executing(.|\n)*look/, answer);
  },
  "a job": async () => {
    await ui.open("tools/isPrime");
    await ui.press("Call");
    await ui.view.page.locator(`${answer} a.mono`).click();
    await ui.view.shows(/Timeline(.|\n)*factorise/i, "main");
  },
  "the jobs": async () => {
    await ui.open("jobs");
    await ui.view.shows("isPrime", ".virtual");
  },
  "a job that does not exist": async () => {
    await ui.open("jobs/nobody-knows-it");
    await ui.view.shows("no such job", "main");
  },
  "the definition": async () => {
    await ui.open("contract");
    await ui.view.shows("Copy service.json");
  },
  ...Object.fromEntries(
    ["MCP", "Hosts", "OpenAPI"].map((name) => [
      `the contract's ${name}`,
      async () => {
        await ui.open("contract");
        await ui.view.find("tab", name).click();
      },
    ]),
  ),
};

test.each(Object.entries(states))(
  "%s: no fault for a screen reader in either theme, and fits a phone",
  async (_, go) => {
    await go();
    await ui.view.expectAccessible("light");
    await ui.view.expectAccessible("dark");
    expect(ui.view.faults).toEqual([]);
  },
);
