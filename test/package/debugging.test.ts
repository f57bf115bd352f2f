/** The commands of docs/debugging.md: a debugger stops at a line of the author's TypeScript. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { attachDebugger } from "../support/attached-debugger.ts";
import { freePort } from "../support/free-port.ts";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

const page = readFileSync("docs/debugging.md", "utf8");
const tool = `export interface Half {
  half: number;
}

/** Halves a number.
 * @tool
 * @param n - The number. */
export function half(n: number): Half {
  const result: number = n / 2;
  return { half: result };
}
`;
/** The line of `return`. */
const line = tool.split("\n").length - 2;

let user: PackedProject;
let breakpoint: { readonly file: string; readonly line: number };
beforeAll(() => {
  user = packedProject(
    {
      "src/half.ts": tool,
      "src/service.ts": `import { Service, startLambdaServer } from "tenon";
import "./half.js";
await startLambdaServer(new Service({ name: "Halves" }));
`,
      "vitest.config.ts": `import tenon from "tenon/vite";
import { defineConfig } from "vitest/config";
export default defineConfig({ plugins: [tenon()] });
`,
      "test/half.test.ts": `import { callTool } from "tenon/testing";
import { expect, test } from "vitest";
import { half } from "../src/half.ts";
test("half of 8", async () => {
  expect((await callTool(half, { n: 8 })).result).toEqual({ half: 4 });
});
`,
    },
    { packages: ["vite", "vitest"] },
  );
  expect(user.tenon("build")).toMatchObject({ status: 0 });
  breakpoint = { file: join(user.root, "src/half.ts"), line };
});
afterAll(() => user.dispose());

/** The programs behind the commands of the page. */
const programs: Readonly<Record<string, readonly string[]>> = {
  "npx tenon": ["node_modules/tenon/dist/cli/main.js"],
  "npx vitest": ["node_modules/vitest/vitest.mjs"],
  node: [],
};

/** Runs a command of the page, with free ports. */
async function start(command: string): Promise<{ readonly child: ChildProcess; readonly said: () => string }> {
  expect(page).toContain(`\n${command}\n`);
  const program = Object.keys(programs).find((name) => command.startsWith(name)) ?? "";
  const words = command
    .slice(program.length + 1)
    // `tenon dev` takes a free port by itself.
    .replace(/--inspect(-brk)?\b/, program === "npx tenon" ? "$&" : `$&=127.0.0.1:${await freePort()}`);
  const served = command.includes("vitest") ? [] : ["--host", "127.0.0.1", "--port", "0"];
  const child = spawn(process.execPath, [...(programs[program] ?? []), ...words.split(" "), ...served], {
    cwd: user.root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], NO_COLOR: "1" },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGINT");
    await ended;
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => (said += `${line}\n`));
  return { child, said: () => said };
}

async function find(said: () => string, pattern: RegExp): Promise<string> {
  await expect.poll(said, { interval: 20 }).toMatch(pattern);
  return pattern.exec(said())?.[0] ?? "";
}

test.each(["npx tenon dev --inspect", "node --inspect dist/service.mjs"])("%s", async (command) => {
  const { said } = await start(command);
  const url = await find(said, /http:\/\/127\.0\.0\.1:\d+/);
  const attached = await attachDebugger(await find(said, /ws:\/\/\S+/), breakpoint);
  onTestFinished(attached.close);
  const answer = fetch(`${url}/tool/half`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"n":8}',
  });
  const pause = await attached.paused();
  expect(pause).toMatchObject(breakpoint);
  expect(await pause.evaluate("n")).toBe(8);
  await attached.resume();
  expect(await (await answer).json()).toMatchObject({ half: 4 });
});

test("npx vitest run --inspect-brk --no-file-parallelism", async () => {
  const { child, said } = await start("npx vitest run --inspect-brk --no-file-parallelism");
  const ended = once(child, "exit");
  const attached = await attachDebugger(await find(said, /ws:\/\/\S+/), breakpoint);
  onTestFinished(attached.close);
  const pause = await attached.paused();
  expect(pause).toMatchObject(breakpoint);
  expect(await pause.evaluate("result")).toBe(4);
  await attached.resume();
  attached.close();
  expect(await ended).toEqual([0, null]);
});
