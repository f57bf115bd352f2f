import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Frame, KeyInput } from "puppeteer-core";
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

/** Chooses yes in the question that is open. */
async function choose(value = "true"): Promise<void> {
  await ui.view.page.waitForSelector(`${question} select`);
  await ui.view.page.select(`${question} select`, value);
}

/** Messages that were sent until a session was open, the newest first, as the log shows them. */
async function sentBeforeTheSession(): Promise<readonly string[]> {
  const text = await ui.view.text(log);
  return text.slice(text.indexOf("→ sent notifications/initialized")).match(/→ sent \S+/g) ?? [];
}

const ran = (): Promise<unknown> => ui.view.page.evaluate("window.ran");

describe.each([
  ["mcp", "2026-07-28"],
  ["mcp-2025-11-25", "2025-11-25"],
])("%s", (view, revision) => {
  test("the service as a host sees it, and each message in the log", async () => {
    await ui.open(view);
    await ui.view.shows(/Prime numbers(.|\n)*protocolVersion/i, "main");
    await ui.view.shows(/Tools 12(.|\n)*Prompts 1(.|\n)*review(.|\n)*Resources 2/i, ".side");
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
    // The form stays while the page connects again, and when it is left.
    await ui.press("Reconnect");
    await open(view, "Prompts", "review");
    await open(view, "Tools", "double");
    await ui.press("Call");
    await ui.view.shows(/result(.|\n)*8/, answer);
    const handshake = ["→ sent notifications/initialized", "→ sent initialize"];
    expect(await sentBeforeTheSession()).toEqual(view === "mcp" ? [] : handshake);
    await ui.view.find("tab", "Message").click();
    await ui.view.shows(/platform\/job-id(.|\n)*structuredContent/, answer);
    await ui.view.shows(/← received result tools\/call(.|\n)*→ sent tools\/call/, log);
    expect(await ran()).toBeUndefined();
  });

  test("arguments that are not an object are kept, and not sent", async () => {
    await open(view, "Tools", "double");
    await ui.view.find("tab", "JSON").click();
    await ui.fill("textbox", "Arguments as JSON", "[4]");
    await ui.view.find("tab", "Form").click();
    await ui.view.shows("The arguments are not a JSON object. Correct them in the JSON tab.", "form.card");
    expect(await ui.view.page.$eval("form.card .primary", (button) => button.getAttribute("aria-disabled"))).toBe(
      "true",
    );
    await ui.press("Call");
    await ui.view.shows("Its answer is shown here.", answer);
  });

  test("questions are answered in the page, and declined", async () => {
    await open(view, "Tools", "order");
    await ui.press("Call");
    await ui.view.shows(/Which cake\?(.|\n)*Name of the person\. ≥ 2 characters/, question);
    // Nothing is made up: the first press sends nothing, and says at each field what it needs.
    await reply("Answer");
    await expect.poll(() => ui.view.page.$$eval(`${question} .field.wrong`, (wrong) => wrong.length)).toBe(4);
    await expect.poll(() => ui.view.page.evaluate("document.activeElement.labels[0].innerText")).toBe("name *");
    await ui.fill("textbox", "name *", "Ann");
    await ui.fill("textbox", "count *", "3");
    for (const [label, value] of [
      ["gift", "true"],
      ["size", "0"],
    ] as const)
      await ui.view.find("combobox", `${label} *`).fill(value);
    // Enter in a field answers, with Shift it begins a line.
    await ui.view.page.focus(`${question} textarea`);
    await ui.view.page.keyboard.down("Shift");
    await ui.view.page.keyboard.press("Enter");
    await ui.view.page.keyboard.up("Shift");
    await expect.poll(() => ui.view.page.$eval(`${question} textarea`, (at) => at.value)).toBe("Ann\n");
    await ui.view.page.keyboard.press("Backspace");
    await ui.view.page.keyboard.press("Enter");
    await ui.view.shows("Order 3 for Ann?", question);
    await choose();
    await reply("Answer");
    await ui.view.shows("3 small plum for Ann", answer);
    await ui.press("Call");
    await ui.view.shows("Which cake?", question);
    await reply("Decline");
    await ui.view.shows(/isError/, answer);
    await expect.poll(() => ui.view.text(log)).toContain(view === "mcp" ? "tools/call" : "received elicitation/create");
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
    await ui.view.shows(view === "mcp" ? "notifications/progress" : "notifications/cancelled", log);
  });

  test("an answer is there again after another was looked at, and a call that was left says that it is cancelled", async () => {
    await open(view, "Tools", "double");
    await ui.fill("textbox", "count *", "4");
    await ui.press("Call");
    await ui.view.shows(/result(.|\n)*8/, answer);
    await ui.open(view);
    await ui.view.shows(/protocolVersion/, "main");
    await ui.view.page.evaluate("history.back()");
    await ui.view.shows(/result(.|\n)*8/, answer);
    await open(view, "Tools", "until");
    await ui.view.shows("Its answer is shown here.", answer);
    await ui.fill("textbox", "file *", join(ui.user.root, "never"));
    await ui.press("Call");
    await ui.view.shows("running", answer);
    await ui.view.find("link", "Jobs").click();
    await expect.poll(() => ui.view.page.title()).toContain("Jobs");
    await ui.view.page.evaluate("history.back()");
    await ui.view.shows("It was cancelled, since you left it or connected again.", answer);
    await open(view, "Tools", "double");
    await ui.view.shows(/result(.|\n)*8/, answer);
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
    await choose();
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
    // The question is said, and has the focus: Ctrl + Enter answers it.
    await ui.view.shows("The service asks: Which **cake**?", `${answer} [role=status]`);
    await expect.poll(focused).toBe("name *");
    await ui.view.page.keyboard.type("Ann");
    for (const [label, text] of [
      ["count", "3"],
      ["gift", "t"],
      ["size", "l"],
    ] as const) {
      await tabTo(label);
      await ui.view.page.keyboard.type(text);
    }
    await ui.view.page.keyboard.down("Control");
    await key("Enter");
    await ui.view.page.keyboard.up("Control");
    await ui.view.shows("Order 3 for Ann?", question);
    await expect.poll(() => ui.view.page.evaluate("document.activeElement.type")).toBe("select-one");
    await tabTo("Close");
    await key("Enter");
    await ui.view.shows(/isError/, answer);
    await ui.view.shows("Ended with an error.", `${answer} [role=status]`);
    await expect.poll(focused).toBe("Call");
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

/** The frame in which the view of a tool is shown. */
async function viewFrame(): Promise<Frame> {
  const isView = (frame: Frame): boolean => frame.url().endsWith("?frame");
  await expect.poll(() => ui.view.page.frames().filter(isView).length).toBe(1);
  return ui.view.page.frames().find(isView) as Frame;
}

test.each(["mcp", "mcp-2025-11-25"])("%s: the view of a tool with the result of a call", async (view) => {
  await open(view, "Tools", "towns");
  await ui.fill("textbox", "least *", "1");
  await ui.press("Call");
  await ui.view.shows(/result(.|\n)*Oslo/, answer);
  expect(await ui.view.page.$$eval(`${answer} th`, (heads) => heads.map((head) => head.textContent))).toEqual([
    "Town",
    "people",
  ]);
  await ui.view.find("tab", "View").click();
  const frame = await viewFrame();
  await expect.poll(() => frame.evaluate("document.body.innerText")).toMatch(/709,037/);
  expect(await frame.evaluate("[window.ran ?? 0, document.querySelectorAll('img').length, origin]")).toEqual([
    0,
    0,
    "null",
  ]);
  await expect.poll(() => ui.view.page.$eval("iframe", (one) => one.getBoundingClientRect().height)).not.toBe(300);
  await ui.view.shows("→ sent resources/read", log);
  await ui.view.expectAccessible("light");
  await ui.view.expectAccessible("dark");
});

test("a hostile view reaches neither the page nor another host", async () => {
  const page = await ui.browser.newPage();
  const asked: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  });
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const elsewhere = `http://elsewhere.test:${(other.address() as AddressInfo).port}`;
  await page.goto(`${ui.served.url}/docs#/mcp`);
  const html = `<img src="${elsewhere}/1"><link rel="stylesheet" href="${elsewhere}/2"><script>
    const said = [];
    try { said.push(parent.document.title); } catch { said.push("no parent"); }
    try { said.push(localStorage.length); } catch { said.push("no storage"); }
    said.push(String(open("${elsewhere}/3")));
    fetch("/service.json").then(() => "fetched", () => "no fetch").then((text) => {
      parent.postMessage([...said, text], "*");
      location.href = "${elsewhere}/4";
    });
  </script>`;
  const said = await page.evaluate(
    `new Promise((resolve) => {
      addEventListener("message", ({ data }) => resolve(data));
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.sandbox = "allow-scripts";
      frame.onload = () => frame.contentWindow.postMessage(${JSON.stringify(html)}, "*");
      frame.src = "/docs?frame";
    })`,
  );
  expect(said).toEqual(["no parent", "no storage", "null", "no fetch"]);
  await expect.poll(() => page.frames().map((frame) => frame.url())).toContain("chrome-error://chromewebdata/");
  await page.close();
  other.close();
  expect(asked).toEqual([]);
});

test("a call whose stream is cut is resumed after its last event", async () => {
  const env = { TENON_MCP_STREAM_TIME: "1" };
  const hasty = await serve(join(ui.user.root, "dist/service.mjs"), ["--with-mcp"], env);
  const file = join(ui.user.root, "resumed");
  const resumed: string[] = [];
  try {
    await ui.view.page.goto(`${hasty.url}/docs#/mcp-2025-11-25/Tools/until`);
    await ui.fill("textbox", "file *", file);
    ui.view.page.on("request", (request) => {
      const last = request.headers()["last-event-id"];
      if (last !== undefined) resumed.push(last);
    });
    await ui.press("Call");
    await ui.view.shows(/stream resumed after event/, answer);
    writeFileSync(file, "");
    await ui.view.shows(/result(.|\n)*there it is/, answer);
    expect(resumed.length).toBeGreaterThan(0);
  } finally {
    await hasty.stop();
  }
});

test("updates of a resource that is subscribed to are counted, and it is read again", async () => {
  const { page } = ui.view;
  const uri = "things://all";
  const event = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } };
  let isDue = false;
  const resumed: (string | undefined)[] = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (request.method() !== "GET" || !request.url().endsWith("/mcp")) return void request.continue();
    resumed.push(request.headers()["last-event-id"]);
    const body = isDue ? `id: e7\ndata: ${JSON.stringify(event)}\n\n` : "";
    isDue = false;
    void request.respond({ status: 200, contentType: "text/event-stream", body });
  });
  await open("mcp-2025-11-25", "Resources", uri);
  await ui.press("Subscribe");
  await ui.view.shows("Subscribed; no update yet.", "form");
  isDue = true;
  await ui.view.shows("Subscribed; updated 1 time.", "form");
  await ui.view.shows(/things:\/\/all(.|\n)*ä/, answer);
  await expect.poll(() => resumed).toContain("e7");
  await ui.press("Unsubscribe");
  await ui.view.shows("→ sent resources/unsubscribe", log);
  await ui.view.expectAccessible("light");
  await ui.view.expectAccessible("dark");
  await page.setViewport({ width: 1440, height: 900 });
  // The view of the other revision shows the same name.
  await page.goto("about:blank");
  await open("mcp", "Resources", uri);
  expect(await ui.view.text("form")).not.toContain("Subscribe");
});

test("a task is followed, its question answered, and it is cancelled", async () => {
  await open("mcp", "Tools", "later");
  await ui.press("Call");
  await ui.view.shows(/Go on\?/, question);
  await choose();
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
    await ui.view.fillIn("input[type=password]", token);
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
