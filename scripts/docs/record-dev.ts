/**
 * Records `tenon dev` with calls as a moving picture, `docs/images/dev.svg`: what a terminal shows, line by line, in
 * its colours. `npm run pictures`, after `npm run build`.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { keepTerminal } from "./keep-picture.ts";

const project = "examples/all";
const calls = [
  ["isPrime", { number: 997 }],
  ["waveFunctionCollapse", { width: 26, height: 15, attempts: 1, seed: 7 }],
  ["isPrime", { number: -1 }],
] as const;
/** Seconds between two lines of the picture, and for which the last one stays. */
const pace = 0.45;
const rest = 4;

const lines: string[] = [`\u001B[2m$\u001B[22m tenon dev`];
const dev = spawn(process.execPath, ["../../dist/cli/main.js", "dev", "--port", "0"], {
  cwd: project,
  env: { ...process.env, FORCE_COLOR: "1" },
  stdio: ["ignore", "ignore", "pipe"],
});
const url = await new Promise<string>((resolve) => {
  let base: string | undefined;
  createInterface({ input: dev.stderr }).on("line", (line) => {
    lines.push(line);
    base ??= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (stripVTControlCharacters(line).trim().startsWith("tools") && base !== undefined) resolve(base);
  });
});
for (const [tool, body] of calls) {
  const headers = { "content-type": "application/json", prefer: "wait=60" };
  await (await fetch(`${url}/tool/${tool}`, { method: "POST", headers, body: JSON.stringify(body) })).arrayBuffer();
}
const ended = new Promise((resolve) => dev.once("exit", resolve));
dev.kill("SIGTERM");
await ended;
const port = new URL(url).port;
keepTerminal(
  "docs/images/dev.svg",
  draw(lines.filter((line) => !line.startsWith("{")).map((line) => line.replaceAll(`:${port}`, ":8090").slice(0, 400))),
);

/** The lines as a picture in which each one appears in its turn; still where motion is not wanted. */
function draw(texts: readonly string[]): string {
  const [width, step, top] = [860, 20, 52];
  const height = top + texts.length * step + 12;
  const whole = texts.length * pace + rest;
  const frames = texts.map((_, index) => {
    const at = ((index * pace) / whole) * 100;
    return `@keyframes l${index}{0%,${at.toFixed(2)}%{opacity:0}${(at + 0.01).toFixed(2)}%,100%{opacity:1}}#l${index}{animation:l${index} ${whole.toFixed(1)}s infinite}`;
  });
  const rows = texts.map(
    (text, index) => `<text id="l${index}" x="20" y="${top + index * step}" xml:space="preserve">${spans(text)}</text>`,
  );
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, index) => `<circle cx="${22 + index * 20}" cy="20" r="6" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal with tenon dev: addresses, tools, and three calls with their steps">
<style>text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#e6eaf0}@media (prefers-reduced-motion:no-preference){${frames.join("")}}</style>
<rect width="${width}" height="${height}" rx="10" fill="#12171f"/>
${dots.join("")}
${rows.join("\n")}
</svg>
`;
}

/** The parts of a line in the colours of its control sequences. */
function spans(line: string): string {
  const colours: Readonly<Record<string, string>> = {
    "1": "font-weight:700",
    "2": "fill:#8b98a8",
    "31": "fill:#ff8a80",
    "32": "fill:#56d68a",
    "33": "fill:#f0b35a",
    "36": "fill:#4fd1c5",
  };
  const [first = "", ...rest] = line.split("\u001B[");
  const parts = rest.map((part) => {
    const [code = "", ...text] = part.split("m");
    const style = colours[code];
    const shown = escape(text.join("m").slice(0, 110));
    return style === undefined ? shown : `<tspan style="${style}">${shown}</tspan>`;
  });
  return escape(first.slice(0, 110)) + parts.join("");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
