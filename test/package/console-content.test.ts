import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostile, hostileConsoleFiles, hostileTexts } from "../support/hostile-console-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const ui = serveConsole(hostileConsoleFiles);

/**
 * Scripts of a text that have run, addresses that would, elements that it has become, and a page that it has hidden.
 */
function harm(): Promise<unknown> {
  return ui.view.page.evaluate(`({
    ran: window.ran ?? 0,
    links: [...document.querySelectorAll("a")].map((link) => link.href).filter((href) => !/^(https?|blob):/.test(href)),
    made: document.querySelectorAll("body script, body style, img[src=x], svg[onload], [onerror]").length -
      document.querySelectorAll("body > script, body > style").length,
    display: getComputedStyle(document.body).display,
  })`);
}
const none = { ran: 0, links: [], made: 0, display: "block" };

test("no text of a service runs, in any view", async () => {
  await ui.open("tools/evil");
  await ui.view.shows(hostileTexts[0], "article header");
  await ui.view.fillIn('input[aria-label="New key of /map"]', hostileTexts[1]);
  await ui.view.page.keyboard.press("Enter");
  expect(await harm()).toEqual(none);
  await ui.press("Call");
  await ui.view.shows("200", answer);
  await ui.view.shows(hostileTexts[0], `${answer} .steps`);
  for (const tab of ["Result", "Text", "Headers", "JSON", "Copy as"]) {
    await ui.view.find("tab", tab).click();
    expect(await harm()).toEqual(none);
  }
  await ui.view.page.locator(`${answer} a.mono`).click();
  await ui.view.shows(hostileTexts[0], 'section[aria-label="Events"]');
  expect(await harm()).toEqual(none);
  await ui.open("tools/refuse");
  await ui.press("Call");
  await ui.view.shows("400", answer);
  await ui.view.shows(hostileTexts[0], answer);
  expect(await harm()).toEqual(none);
  await ui.open("jobs");
  await ui.view.shows("evil", ".virtual");
  expect(await harm()).toEqual(none);
  await ui.open("contract");
  await ui.view.shows(hostileTexts[1], "h1");
  for (const tab of ["MCP", "Hosts", "OpenAPI", "Definition"]) {
    await ui.view.find("tab", tab).click();
    expect(await harm()).toEqual(none);
  }
});

test.each([360, 1280, 2560])(
  "the first page and that of jobs, with long texts of a service, fit into %i px",
  async (width) => {
    await ui.view.page.setViewport({ width, height: 900 });
    await ui.open("tools");
    await ui.view.shows("evil: ", "main");
    expect(await ui.view.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await ui.open("jobs");
    await ui.view.shows(/Tool(.|\n)*a{60}/, ".head");
    expect(await ui.view.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(await harm()).toEqual(none);
  },
);

test("a text of a million characters is shown in part", async () => {
  await ui.open("tools/long");
  await ui.view.fillIn(["textbox", "size *"], "1000000");
  await ui.press("Call");
  await ui.view.shows("200", answer);
  await ui.view.find("tab", "Text").click();
  await ui.view.shows("xxx", answer);
  expect((await ui.view.text(answer)).length).toBeLessThan(50_000);
  expect(await harm()).toEqual(none);
});

/** Calls the tool that answers with the bytes of a file. */
async function showFile(name: string, type: string, bytes: Uint8Array): Promise<void> {
  const path = join(ui.user.root, name);
  writeFileSync(path, bytes);
  await ui.open("tools/media");
  await ui.view.fillIn(["textbox", "path *"], path);
  await ui.view.fillIn(["textbox", "type *"], type);
  await ui.press("Call");
  await ui.view.shows("200", answer);
}

/** A property of an element of the answer, once it is there. */
function property(element: string, name: string): Promise<unknown> {
  return ui.view.page.evaluate(`document.querySelector(${JSON.stringify(`${answer} ${element}`)})?.${name}`);
}

test("a picture is shown as a picture, and pages and broken vector graphics as text", async () => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await showFile("dot.png", "image/png", Buffer.from(png, "base64"));
  await expect.poll(() => property("img", "naturalWidth")).toBe(1);
  await ui.view.expectAccessible("dark");
  await ui.view.page.setViewport({ width: 1440, height: 900 });
  for (const type of ["text/html", "image/svg+xml", "application/xhtml+xml"]) {
    await ui.view.page.goto("about:blank");
    await showFile("page", type, Buffer.from(hostile));
    await ui.view.find("tab", "Text").click();
    await ui.view.shows(hostileTexts[0], answer);
    expect(await harm()).toEqual(none);
  }
});

test("a sound is played", async () => {
  // A header of 44 bytes and half a second of silence: one channel, 8,000 samples a second of one byte.
  const sound = Buffer.alloc(4044, 128);
  sound.write("RIFF\0\0\0\0WAVEfmt ", "latin1");
  sound.writeUInt32LE(4036, 4);
  for (const [index, value] of [16, 0, 1, 1, 8000, 0, 8000, 0, 1, 8].entries())
    sound.writeUInt16LE(value, 16 + 2 * index);
  sound.write("data", 36, "latin1");
  sound.writeUInt32LE(4000, 40);
  await showFile("silence.wav", "audio/wav", sound);
  await expect.poll(() => property("audio", "duration")).toBeCloseTo(0.5, 1);
  expect(await property("audio", "error")).toBeNull();
});

test("a film is played", async () => {
  // A film that this browser records: two colours for some frames.
  const film = (await ui.view.page.evaluate(`(async () => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 16;
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => { recorder.onstop = resolve; });
    recorder.start();
    for (let frame = 0; frame < 10; frame++) {
      context.fillStyle = frame % 2 ? "red" : "blue";
      context.fillRect(0, 0, 16, 16);
      await new Promise(requestAnimationFrame);
    }
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  })()`)) as string;
  await showFile("film.webm", "video/webm", Buffer.from(film, "base64"));
  await expect.poll(() => property("video", "videoWidth")).toBe(16);
  expect(await property("video", "error")).toBeNull();
});

test.each([
  ["wide", 2000],
  ["deep", 2000],
])("a form of %s: few of its fields are elements, and its first request is valid", async (tool, fields) => {
  await ui.open(`tools/${tool}`);
  await ui.view.page.locator("form input").wait();
  const inputs = (): Promise<number> => ui.view.page.$$eval("form input", (found) => found.length);
  const before = await inputs();
  expect(before).toBeLessThan(500);
  await ui.press("Call");
  await ui.view.shows(new RegExp(`200(.|\n)*${fields}`), answer);
  await ui.view.page.locator("form button ::-p-text(more)").click();
  await expect.poll(inputs).toBeGreaterThan(before);
});
