import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyInput } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { hostile } from "../support/hostile-console-project.ts";
import { mcpFiles } from "../support/mcp-console-project.ts";
import { serve } from "../support/packed-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";
import { serveTokenIssuer } from "../support/token-issuer.ts";

const ui = serveConsole(mcpFiles);
const log = 'section[aria-label="Messages"]';
const question = ".question";

/** Opens a tool, a prompt or a resource in the view of a revision, and waits for it. */
async function open(view: string, kind: string, name: string): Promise<void> {
  await ui.open(`${view}/${kind}/${encodeURIComponent(name)}`);
  await ui.view.shows(name, "article");
}

/** Answers the question that is open: presses a button of it. */
const reply = (name: string): Promise<void> => ui.press(name);

const ran = (): Promise<unknown> => ui.view.page.evaluate("window.ran");

describe.each([
  ["mcp", "2026-07-28"],
  ["mcp-2025-11-25", "2025-11-25"],
])("%s", (view, revision) => {
  test("the service as a host sees it, and each message in the log", async () => {
    await ui.open(view);
    await ui.view.shows(/Prime numbers(.|\n)*protocolVersion/i, "main");
    await ui.view.shows(/Tools 10(.|\n)*Prompts 1(.|\n)*review(.|\n)*Resources 2/i, ".side");
    await ui.view.shows(view === "mcp" ? "server/discover" : "notifications/initialized", log);
    expect(await ui.view.text(log)).toContain(
      revision === "2026-07-28" ? "→ sent server/discover" : "→ sent initialize",
    );
    await ui.fill("searchbox", "Search tools, prompts and resources", "doubles");
    await expect.poll(() => ui.view.page.$$eval(".tool-list a", (links) => links.length)).toBe(1);
  });

  test("a tool is called; a wrong argument is named at its field", async () => {
    await open(view, "Tools", "double");
    await ui.fill("textbox", "count *", "21");
    await ui.press("Call");
    await ui.view.shows(/isError(.|\n)*count/, answer);
    await ui.view.shows(/count \*(.|\n)*10/, ".field.wrong");
    await ui.fill("textbox", "count *", "4");
    await ui.press("Call");
    await ui.view.shows(/result(.|\n)*8/, answer);
    await ui.view.find("tab", "Message").click();
    await ui.view.shows(/platform\/job-id(.|\n)*structuredContent/, answer);
    await ui.view.shows(/← received result tools\/call \d+\s+[\d:.]+ → sent tools\/call/, log);
    expect(await ran()).toBeUndefined();
  });

  test("questions are answered in the page, and declined", async () => {
    await open(view, "Tools", "order");
    await ui.press("Call");
    await ui.view.shows(/Which cake\?(.|\n)*Name of the person\. ≥ 2 characters/, question);
    await ui.fill("textbox", "name *", "Ann");
    await ui.fill("textbox", "count *", "3");
    await reply("Answer");
    await ui.view.shows("Order 3 for Ann?", question);
    await ui.view.page.locator(`${question} input[type=checkbox]`).click();
    await reply("Answer");
    await ui.view.shows("3 small plum for Ann", answer);
    await ui.press("Call");
    await ui.view.shows("Which cake?", question);
    await reply("Decline");
    await ui.view.shows(/isError/, answer);
    expect(await ui.view.text(log)).toContain(view === "mcp" ? "tools/call" : "received elicitation/create");
  });

  test("a person answers in place of the model, gives roots, and refuses", async () => {
    await open(view, "Tools", "summarise");
    await ui.press("Call");
    await ui.view.shows("Say it shortly.", question);
    await ui.fill("textbox", "Answer of the model", "Short.");
    await reply("Answer");
    await ui.view.shows(/assistant(.|\n)*Short\./, answer);
    await ui.press("Call");
    await ui.view.shows("Say it shortly.", question);
    await reply("Refuse");
    await expect.poll(() => ui.view.text(answer)).toMatch(/error/i);
    await open(view, "Tools", "roots");
    await ui.press("Call");
    await ui.fill("textbox", "Roots, one a line", "file:///a\nfile:///b");
    await reply("Answer");
    await ui.view.shows(/file:\/\/\/a(.|\n)*file:\/\/\/b/, answer);
    expect(await ui.view.page.$$(question)).toEqual([]);
  });

  test("progress as it happens, and a call that is cancelled", async () => {
    const file = join(ui.user.root, `cancelled-${view}`);
    await open(view, "Tools", "work");
    await ui.fill("textbox", "file *", file);
    await ui.press("Call");
    await ui.view.shows(/running(.|\n)*first(.|\n)*second/, answer);
    await ui.press("Cancel");
    await ui.view.shows("You cancelled it.", answer);
    await expect.poll(() => readFileSync(file, { encoding: "utf8", flag: "a+" })).toBe("cancelled");
    expect(await ui.view.text(log)).toContain(view === "mcp" ? "notifications/progress" : "notifications/cancelled");
  });

  test("prompts with completions, resources and templates", async () => {
    await open(view, "Prompts", "review");
    await ui.fill("combobox", "language *", "p");
    await expect
      .poll(() => ui.view.page.$$eval("datalist option", (found) => found.map((one) => one.getAttribute("value"))))
      .toEqual(["python"]);
    await ui.fill("combobox", "language *", "python");
    await ui.press("Get");
    await ui.view.shows(/user\s+Review this python code\.\s+assistant/, answer);
    await open(view, "Resources", "things://all");
    await ui.press("Read");
    await ui.view.shows(/things:\/\/all(.|\n)*ä/, answer);
    await open(view, "Resources", "notes://{id}");
    await ui.fill("combobox", "id *", "ö 1");
    await ui.press("Read");
    await ui.view.shows(/notes:\/\/%C3%B6%201(.|\n)*Note ö 1/, answer);
    expect(await ran()).toBeUndefined();
  });

  test("texts that would run are shown, and nothing leaves", async () => {
    await open(view, "Tools", "evil");
    await ui.press("Call");
    await ui.view.shows("<script>window.ran=1</script>", question);
    await reply("Answer");
    await ui.view.shows(/notes|window\.ran=5/, answer);
    await ui.view.page.$$eval("details", (all) => all.forEach((one) => one.setAttribute("open", "")));
    await open(view, "Tools", "fails");
    await ui.press("Call");
    await ui.view.shows(/isError(.|\n)*window\.ran=1/, answer);
    await open(view, "Tools", "show");
    await ui.press("Call");
    await ui.view.shows("A title", answer);
    await ui.view.page.waitForSelector(`${answer} img[src^="blob:"]`);
    expect(
      await ui.view.page.$$eval(`${answer} a`, (links) => links.map((link) => link.getAttribute("href")?.slice(0, 5))),
    ).toEqual(["blob:"]);
    await ui.open(`${view}/Tools/${encodeURIComponent(hostile)}`);
    await ui.view.shows("The service does not offer that.", "main");
    expect(await ran()).toBeUndefined();
  });

  test("the keyboard alone finds a tool, calls it and answers", async () => {
    const key = (name: KeyInput): Promise<void> => ui.view.page.keyboard.press(name);
    const focused = (): Promise<unknown> =>
      ui.view.page.evaluate(
        "(document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText ?? '').trim()",
      );
    const tabTo = async (start: string): Promise<void> => {
      for (let stops = 0; stops < 80; stops += 1) {
        await key("Tab");
        if (String(await focused()).startsWith(start)) return;
      }
      throw new Error(`Tab does not reach ${start}.`);
    };
    await ui.open(view);
    await ui.view.shows("order", ".side");
    await tabTo("Search tools");
    await ui.view.page.keyboard.type("cake");
    await tabTo("order");
    await key("Enter");
    await ui.view.shows("Orders a cake.", "article");
    await tabTo("kind");
    await ui.view.page.keyboard.down("Control");
    await key("Enter");
    await ui.view.page.keyboard.up("Control");
    await ui.view.shows("Which cake?", question);
    await tabTo("Answer");
    await key("Enter");
    await ui.view.shows(/Order \d+ for/, question);
    await tabTo("Close");
    await key("Enter");
    await ui.view.shows(/isError/, answer);
    expect(await ui.view.page.$$(question)).toEqual([]);
  });

  test.each(["light", "dark"] as const)("no fault for a screen reader, %s, from 360 to 2,560 px", async (scheme) => {
    await open(view, "Tools", "order");
    await ui.press("Call");
    await ui.view.shows("Which cake?", question);
    await ui.view.expectAccessible(scheme);
    for (const width of [360, 768, 1200, 2560]) {
      await ui.view.page.setViewport({ width, height: 900 });
      expect(await ui.view.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    await ui.open(view);
    await ui.view.shows(/protocolVersion/, "main");
    await ui.view.expectAccessible(scheme);
  });
});

test("a task is followed, its question answered, and it is cancelled", async () => {
  await open("mcp", "Tools", "later");
  await ui.press("Call");
  await ui.view.shows(/Go on\?/, question);
  await ui.view.page.locator(`${question} input[type=checkbox]`).click();
  await reply("Answer");
  await ui.view.shows(/task \w+(.|\n)*went on/, answer);
  await ui.view.shows("tasks/update", log);
  await ui.press("Call");
  await ui.view.shows(/Go on\?/, question);
  await ui.press("Cancel");
  await ui.view.shows("You cancelled it.", answer);
  await ui.view.shows("tasks/cancel", log);
  expect(await ui.view.page.$$(question)).toEqual([]);
});

test("another revision is one choice away, and a service without MCP says how to start it", async () => {
  await open("mcp", "Tools", "double");
  await ui.view.page.select(".side select", "mcp-2025-11-25");
  await expect.poll(() => ui.view.page.url()).toContain("#/mcp-2025-11-25/Tools/double");
  await ui.view.shows("→ sent initialize", log);
  const without = await serve(join(ui.user.root, "dist/service.mjs"), []);
  try {
    await ui.view.page.goto(`${without.url}/docs#/mcp`);
    await ui.view.shows("Start it with --with-mcp.", ".side");
    expect(await ran()).toBeUndefined();
  } finally {
    await without.stop();
  }
});

test("the token of the page is sent, and to the service alone", async () => {
  const issuer = await serveTokenIssuer();
  const env = { TENON_AUTH_ISSUER: issuer.url, TENON_AUTH_AUDIENCE: "https://tools.example.org/mcp" };
  const guarded = await serve(join(ui.user.root, "dist/service.mjs"), ["--with-mcp"], env);
  const tokens = new Set<string | undefined>();
  try {
    await ui.view.page.goto(`${guarded.url}/docs#/mcp/Tools/double`);
    await ui.view.shows("An access token is needed");
    ui.view.page.on("request", (request) => {
      if (request.url().endsWith("/mcp")) tokens.add(request.headers()["authorization"]);
    });
    const token = await issuer.tokens.token({ sub: "ann" });
    await ui.view.page.locator("input[type=password]").fill(token);
    await ui.press("Use the token");
    await ui.view.shows("Doubles.", "article");
    await ui.fill("textbox", "count *", "4");
    await ui.press("Call");
    await ui.view.shows(/result(.|\n)*8/, answer);
    expect([...tokens]).toEqual([`Bearer ${token}`]);
    expect(await ui.view.text()).not.toContain(token);
  } finally {
    await guarded.stop();
    issuer.stop();
  }
});
