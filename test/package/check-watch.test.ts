import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bareEnv } from "../support/bare-env.ts";
import { packedProject, type PackedProject } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

interface Matcher {
  readonly pattern: { readonly regexp: string; readonly [part: string]: string | number };
  readonly background?: { readonly beginsPattern: string; readonly endsPattern: string };
}

let user: PackedProject;
let child: ChildProcess;
let ended: Promise<[number | null]>;
let said = "";
let printed = "";
const path = "src/is-prime.ts";

beforeAll(() => {
  user = packedProject(primeFiles);
  expect(user.tenon("generate").status).toBe(0);
});
afterEach(() => child.kill("SIGKILL"));
afterAll(() => user.dispose());

function start(...words: readonly string[]): void {
  [said, printed] = ["", ""];
  const main = join(user.root, "node_modules/tenon/dist/cli/main.js");
  child = spawn(process.execPath, [main, "check", "--watch", ...words], {
    cwd: user.root,
    env: { ...bareEnv(), NO_COLOR: "1" },
  });
  ended = once(child, "exit") as Promise<[number | null]>;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed += text));
}

async function stop(): Promise<number | null> {
  child.kill("SIGINT");
  return (await ended)[0];
}

const rounds = (): number => said.split("\n").filter((line) => / checked in \d+ ms/.test(line)).length;
const patience = { interval: 20 };

test("each save is checked, the task of VS Code reads what is printed, and Ctrl-C ends with the last status", async () => {
  const text = user.read(path);
  expect(user.tenon("init", "--vscode")).toMatchObject({ status: 0, stderr: expect.stringContaining("tasks.json") });
  const { tasks } = JSON.parse(user.read(".vscode/tasks.json")) as {
    readonly tasks: readonly { readonly args: readonly string[]; readonly problemMatcher: Matcher }[];
  };
  const [watching, building] = tasks.map(({ problemMatcher }) => problemMatcher);
  if (watching?.background === undefined || building === undefined) throw new Error("no matchers");
  start();
  await expect.poll(rounds, patience).toBe(1);
  expect(said).toContain("service.json is up to date");
  user.write({ [path]: text.replace("number: number", "number: () => void") });
  await expect.poll(rounds, patience).toBe(2);
  const lines = said.split("\n");
  const matching = (regexp: string): readonly number[] =>
    lines.flatMap((line, index) => (new RegExp(regexp).test(line) ? index : []));
  const [begins, ends] = [matching(watching.background.beginsPattern), matching(watching.background.endsPattern)];
  const finding = matching(watching.pattern.regexp);
  expect([begins.length, ends.length, finding.length]).toEqual([2, 2, 1]);
  expect((finding[0] ?? 0) > (begins[1] ?? 0) && (finding[0] ?? 0) < (ends[1] ?? 0)).toBe(true);
  const found = new RegExp(watching.pattern.regexp).exec(lines[finding[0] ?? 0] ?? "");
  const part = (name: string): string | undefined => found?.[Number(watching.pattern[name])];
  expect([part("file"), part("code"), part("severity")]).toEqual([path, "TN301", undefined]);
  // A single command prints the name of the program before its first finding.
  const single = new RegExp(building.pattern.regexp, "m").exec(user.tenon("check").stderr);
  expect(single?.slice(1, 5)).toEqual(found?.slice(1, 5));
  const extension = JSON.parse(readFileSync("editors/vscode/package.json", "utf8")) as {
    readonly contributes: { readonly problemMatchers: readonly Matcher[] };
  };
  expect(extension.contributes.problemMatchers).toMatchObject([building, watching]);
  user.write({ [path]: text });
  await expect.poll(rounds, patience).toBe(3);
  // Standard error is no terminal, so that no screen is cleared.
  expect(said).not.toContain("\u001B");
  expect(await stop()).toBe(0);
});

test("--json has one line for each check; options and a stale definition count, too", async () => {
  start("--json");
  const outcomes = (): readonly object[] =>
    printed
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as object);
  await expect.poll(() => outcomes().length, patience).toBe(1);
  expect(outcomes()[0]).toMatchObject({ status: 0, current: true });
  user.write({ "package.json": user.read("package.json").replace("1.2.3", "1.3.0") });
  await expect.poll(() => outcomes().length, patience).toBe(2);
  expect(outcomes()[1]).toMatchObject({ status: 1, current: false });
  user.write({ "tenon.config.ts": "export default { rulez: {} };\n" });
  await expect.poll(() => outcomes().length, patience).toBe(3);
  expect(outcomes()[2]).toMatchObject({ status: 1, error: expect.stringContaining("`rules`") });
  user.write({ "tenon.config.ts": 'export default { rules: { "missing-text": "error" } };\n' });
  await expect.poll(() => outcomes().length, patience).toBe(4);
  expect(outcomes()[3]).not.toHaveProperty("error");
  expect(await stop()).toBe(1);
});

test.each([
  ["--fix", "--against", "HEAD"],
  ["--format", "sarif"],
])("%s is for a single check", (...words) => {
  expect(user.tenon("check", "--watch", ...words)).toMatchObject({ status: 2 });
});
