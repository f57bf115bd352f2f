import { readdirSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EvalReport } from "../../cli/eval/facts.ts";
import { bareEnv } from "../support/bare-env.ts";
import { packedProject, type PackedProject } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";
import { startWordModel, type WordModel } from "../support/word-model.ts";

const good = "Tests whether a number is prime: has it no divisors?";
const tools = (primeText: string): string => `
/** ${primeText}
 * @tool
 * @param number - The number to test. @minimum 1
 * @ask "Is the number 997 prime?" {"number": 997}
 * @ask "Is the number 0 prime, I wonder?" {"number": 1}
 * @ask "Which weather will come?" none
 */
export function isPrime(number: number): boolean {
  throw new Error(\`A tool was run with \${number}.\`);
}

/** Multiplies one number by another number.
 * @tool
 * @param one - The first. @param other - The second.
 * @ask "Multiply the number 6 by another number, 7." {"one": 6, "other": 7}
 */
export function multiply(one: number, other = 1): number {
  return one * other;
}
`;
const service = `import { Service, startLambdaServer } from "tenon";
import "./numbers.js";

await startLambdaServer(new Service({ name: "Numbers", instructions: "Use it for numbers." }));
`;

let model: WordModel;
let user: PackedProject;
beforeAll(async () => {
  model = await startWordModel();
  const files = { "tsconfig.json": primeFiles["tsconfig.json"] ?? "", "src/service.ts": service };
  user = packedProject({ ...files, "src/numbers.ts": tools(good) }, { packages: ["openai"] });
});
afterAll(async () => {
  user.dispose();
  await model.stop();
});

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs beside this process, which answers for the model. */
async function evaluate(...words: readonly string[]): Promise<Ended> {
  const main = join(user.root, "node_modules/tenon/dist/cli/main.js");
  const env = { ...bareEnv(), LLM_GATEWAY_PROXY: model.url, NO_COLOR: "1" };
  const child = spawn(process.execPath, [main, "eval", ...words], {
    cwd: user.root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close") as Promise<[number]>;
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

const reportOf = ({ stdout }: Ended): EvalReport => JSON.parse(stdout) as EvalReport;

test("a report has picks, judged arguments, rates and what was taken for what; the same to the byte on replay", async () => {
  const recorded = await evaluate("--model", "words", "--runs", "2", "--json", "--record", "answers");
  expect(recorded).toMatchObject({ status: 0 });
  expect(recorded.stderr).toMatch(/^4 sentences × 1 model × 2 runs = 8 calls, about [\d,]+ tokens$/m);
  const [report] = reportOf(recorded).models;
  expect(report).toMatchObject({ model: "words", passed: 6, runs: 8, rate: 0.75, tokens: { input: 800, output: 80 } });
  expect(report?.questions.map(({ answers }) => answers[0]?.outcome)).toEqual(["right", "refused", "right", "right"]);
  expect(report?.questions[1]?.answers[0]?.problems).toEqual([expect.stringMatching(/^\/number: /)]);
  expect(report?.confusion).toEqual({ isPrime: { isPrime: 4 }, multiply: { multiply: 2 }, none: { none: 2 } });
  expect(model.asked.at(-1)?.messages[0]).toEqual({ role: "system", content: "Use it for numbers." });
  const count = model.asked.length;
  expect(readdirSync(join(user.root, "answers"))).toHaveLength(8);
  const replayed = await evaluate("--model", "words", "--runs", "2", "--json", "--replay", "answers");
  expect(replayed.stdout).toBe(recorded.stdout);
  expect(model.asked).toHaveLength(count);
});

test("a bad text lowers the rate of its tool, which is named, and the baseline fails", async () => {
  const before = await evaluate("--model", "words", "--json");
  user.write({ "baseline.json": before.stdout, "src/numbers.ts": tools("Does things.") });
  const after = await evaluate("--model", "words", "--baseline", "baseline.json");
  user.write({ "src/numbers.ts": tools(good) });
  expect(after.status).toBe(1);
  expect(after.stderr).toContain('failed words  isPrime  "Is the number 997 prime?" passed before');
  expect(after.stderr).toMatch(/ {2}isPrime {3}1 of 3, 33 % .*, in its place: none 2\n {2}multiply {2}1 of 1, 100 % /);
  expect(await evaluate("--model", "words", "--baseline", "baseline.json")).toMatchObject({ status: 0 });
});

test("models stand side by side", async () => {
  const { stderr } = await evaluate("--model", "words", "--model", "shy");
  expect(stderr).toContain("words | shy\n  1/1 | 0/1  isPrime");
});

test("with --search a model sees names and instructions, and searches; --instructions none leaves them out", async () => {
  const searched = await evaluate("--model", "words", "--json", "--search");
  const [report] = reportOf(searched).models;
  expect(report?.questions[0]?.answers[0]).toMatchObject({ outcome: "right", tokens: { input: 200, output: 20 } });
  const first = model.asked.find(({ tools: offered }) => offered.length === 1);
  expect(first?.messages[0]?.content).toBe("Use it for numbers.\n\nTools, found by search_tools: isPrime, multiply");
  await evaluate("--model", "words", "--instructions", "none");
  expect(model.asked.at(-1)?.messages.map(({ role }) => role)).toEqual(["user"]);
});

test("more than 200 calls need --yes where nobody can be asked; a wrong answer folder says what to do", async () => {
  expect(await evaluate("--runs", "51")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("204 calls are more than 200; say --yes."),
  });
  expect(await evaluate("--model", "words", "--replay", "nowhere")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('nowhere has no answer of words to "Is the number 997 prime?", run 1'),
  });
});
