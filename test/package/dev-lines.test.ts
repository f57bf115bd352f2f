import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bareEnv } from "../support/bare-env.ts";
import { answersFiles } from "../support/answers-project.ts";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

/** Code that runs in a thread. */
const apart = `import { getLogger } from "tenon";

/** Packs. @tool @thread */
export function pack(): string {
  getLogger("shop").info("packing");
  return "packed";
}
`;

let user: PackedProject;
let child: ChildProcess;
const said: string[] = [];

beforeAll(() => {
  user = packedProject({ ...answersFiles, "src/apart.ts": apart });
  user.write({ "src/service.ts": `import "./apart.js";\n${user.read("src/service.ts")}` });
  const terminal = "data:text/javascript,process.stdout.isTTY=process.stderr.isTTY=true";
  child = spawn(process.execPath, [join(user.root, "node_modules/tenon/dist/cli/main.js"), "dev", "--port", "0"], {
    cwd: user.root,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...bareEnv(), NO_COLOR: "1", NODE_OPTIONS: `--import "${terminal}"` },
  });
  if (child.stderr === null) throw new TypeError("standard error is a pipe");
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
});
afterAll(async () => {
  const ended = once(child, "exit");
  child.kill("SIGINT");
  await ended;
  user.dispose();
});

const patience = { interval: 50 };
const url = (): string | undefined => /console +(http:\/\/127\.0\.0\.1:\d+)\//.exec(said.join("\n"))?.[1];

test("on a terminal each line has its source, no line an id, and stacks are those of the author", async () => {
  await expect.poll(url, patience).toBeDefined();
  const first = said.length;
  const headers = { "content-type": "application/json" };
  await fetch(`${url()}/tool/sell`, { method: "POST", headers, body: '{"item":"nothing"}' });
  await expect.poll(() => said.slice(first).join("\n"), patience).toMatch(/job failed(.|\n)*calls? of packages/);
  const text = said.slice(first).join("\n");
  expect(text).toMatch(/WARNING \(shop\): about to sell .*"shelf":3.* src\/answers\.ts:\d+$/m);
  expect(text).toMatch(/at price \(.*\/src\/price\.ts:4:11\)/);
  expect(text).not.toMatch(/urn:platform:job|trace_id|span_id|node:internal|node_modules/);
});

test("a line of a thread has its source as well", async () => {
  await fetch(`${url()}/tool/pack`, { method: "POST" });
  await expect.poll(() => said.join("\n"), patience).toMatch(/INFO \(shop\): packing .*src\/apart\.ts:5$/m);
});

test("one address stands for one thing", () => {
  const addresses = said.flatMap((line) => line.match(/http:\/\/127\.0\.0\.1:\d+\S*/g) ?? []);
  expect(addresses).toEqual([`${url()}/`, `${url()}/mcp`]);
  expect(said.join("\n")).toMatch(/service {2}Prime numbers 1\.2\.3/);
});

test("a module that fails says where, without the calls of packages", async () => {
  const first = said.length;
  user.write({ "src/price.ts": `${user.read("src/price.ts")}\nthrow new Error("not today");\n` });
  await expect.poll(() => said.slice(first).join("\n"), patience).toMatch(/Error: not today(.|\n)*src\/price\.ts:9/);
  expect(said.slice(first).join("\n")).not.toMatch(/node:internal|node_modules/);
});
