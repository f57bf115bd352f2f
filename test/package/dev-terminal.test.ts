import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let user: PackedProject;
let child: ChildProcess;
let taken: Server;
let port: number;
const said: string[] = [];

beforeAll(async () => {
  user = packedProject(primeFiles, { typescript: "typescript" });
  taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  ({ port } = taken.address() as { port: number });
  const tenon = join(user.root, "node_modules/tenon/dist/cli/main.js");
  child = spawn(process.execPath, [tenon, "dev", "--port", String(port)], {
    cwd: user.root,
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], NO_COLOR: "1" },
  });
  if (child.stderr === null) throw new TypeError("standard error is a pipe");
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
});
afterAll(async () => {
  const ended = once(child, "exit");
  child.kill("SIGINT");
  await ended;
  taken.close();
  user.dispose();
});

const patience = { interval: 50 };
const url = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+/.exec(said.join("\n"))?.[0];

test("a port that is taken: the next free one, in one line", async () => {
  await expect.poll(url, patience).toBeDefined();
  const next = Number(new URL(url() ?? "").port);
  expect(next).toBeGreaterThan(port);
  expect(said).toContain(`Port ${port} is taken; this is ${next}.`);
});

test("requests that reach no tool have a line with the reason, and calls have only their own", async () => {
  const type = { "content-type": "application/json" };
  await fetch(`${url()}/tool/isPrim`, { method: "POST", headers: type, body: "{}" });
  await fetch(`${url()}/tool/isPrime`, { method: "POST", headers: type, body: "{number: 7}" });
  await fetch(`${url()}/mcp`, { method: "POST", headers: { ...type, accept: "application/json" }, body: "{" });
  await fetch(`${url()}/tool/isPrime`, { method: "POST", headers: type, body: '{"number": -7}' });
  await fetch(`${url()}/tool/isPrime`, { method: "POST", headers: type, body: '{"number": 13}' });
  await expect.poll(() => said.join("\n"), patience).toMatch(/isPrime failed .*13 is not asked for/);
  const lines = said.filter((line) => /^\d\d:\d\d:\d\d [!✕]/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(/! POST \/tool\/isPrim 404 {2}\S/),
    expect.stringMatching(/! POST \/tool\/isPrime 400 {2}.*JSON/),
    expect.stringMatching(/! POST \/mcp 400 {2}\S/),
    expect.stringMatching(/! isPrime failed .*does not match its schema/),
    expect.stringMatching(/! isPrime failed/),
  ]);
});

test("a save is told with its time and its file, and its type error as the compiler tells it, once", async () => {
  const text = user.read("src/is-prime.ts");
  user.write({
    "src/is-prime.ts": text.replace(
      "const { number } = request;",
      'const { number } = request;\n    const n: number = "seven";',
    ),
  });
  await expect
    .poll(() => said.join("\n"), patience)
    .toMatch(/\d\d:\d\d:\d\d src\/is-prime\.ts changed, built src\/service\.ts in \d+ ms/);
  const error = /error src\/is-prime\.ts:\d+:\d+ TS2322: Type 'string' is not assignable to type 'number'\./;
  await expect.poll(() => said.join("\n"), patience).toMatch(error);
  user.write({ "src/is-prime.ts": text });
  await expect.poll(() => said.join("\n"), patience).toContain("No type errors.");
  expect(said.filter((line) => error.test(line))).toHaveLength(1);
});
