import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let user: PackedProject;
let child: ChildProcess;
let url: string;
const said: string[] = [];

const model = `/** What can be answered. */
export type Label = "old" | "still";
`;
const slow = `import { existsSync } from "node:fs";
import type { Label } from "./model.js";

/**
 * Waits until a file is there.
 * @tool
 * @view ./wait.view.ts
 * @param label What to answer.
 * @param file What to wait for.
 */
export async function wait(label: Label, file: string): Promise<string> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
  return label;
}
`;

const threaded = `import { threadId } from "node:worker_threads";
import { word } from "./word.js";

/**
 * Says a word, and whether in a thread.
 * @tool
 * @thread
 */
export function speak(): string {
  if (word === "throw") throw new Error("no word");
  return word + (threadId > 0);
}
`;

beforeAll(async () => {
  const added = {
    "src/model.ts": model,
    "src/wait.ts": slow,
    "src/wait.view.ts": 'import { words } from "./parts.js";\n\ndocument.body.textContent = words;\n',
    "src/parts.ts": 'export const words = "the first view";\n',
    "src/speak.ts": threaded,
  };
  user = packedProject({ ...primeFiles, ...added, "src/word.ts": 'export const word: string = "one";\n' });
  edit(
    "src/service.ts",
    'import "./is-prime.js";',
    'import "./is-prime.js";\nimport "./wait.js";\nimport "./speak.js";',
  );
  ({ child, url } = await serve(said));
});
afterAll(async () => {
  await end(child);
  user.dispose();
});

/** Starts `tenon dev`, and waits for its address. */
async function serve(lines: string[]): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const started = spawn(
    process.execPath,
    [join(user.root, "node_modules/tenon/dist/cli/main.js"), "dev", "--port", "0"],
    { cwd: user.root, stdio: ["ignore", "ignore", "pipe"] },
  );
  const address = await new Promise<string>((found, failed) => {
    started.once("exit", (code) => failed(new Error(`ended with ${code}:\n${lines.join("\n")}`)));
    if (started.stderr === null) throw new TypeError("standard error is a pipe");
    createInterface({ input: started.stderr }).on("line", (line) => {
      lines.push(line);
      const at = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (at !== null) found(at[0]);
    });
  });
  return { child: started, url: address };
}

async function end(started: ChildProcess): Promise<void> {
  const ended = once(started, "exit");
  started.kill("SIGINT");
  expect((await ended)[0]).toBe(0);
}

function edit(file: string, from: string, to: string): void {
  const text = user.read(file);
  if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`);
  user.write({ [file]: text.replace(from, to) });
}

function post(tool: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/tool/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const isPrime = async (number: number): Promise<unknown> =>
  ((await (await post("isPrime", { number })).json()) as { isPrime: unknown }).isPrime;
const patience = { interval: 20 };

test("a save is served on the same port, running jobs go on, and a client that listens hears of it", async () => {
  const file = join(user.root, "go");
  const location = (await post("wait", { label: "old", file }, { prefer: "respond-async" })).headers.get("location");
  let heard = 0;
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: "auto" }, listChanged: { tools: { debounceMs: 0, onChanged: () => void heard++ } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  expect(await isPrime(9)).toBe(false);
  edit("src/is-prime.ts", "% d === 0) return", "% d === 0 && number !== 9) return");
  await expect.poll(() => isPrime(9), patience).toBe(true);
  await expect.poll(() => heard, patience).toBeGreaterThan(0);
  expect((await fetch(url + location)).status).toBe(202);
  writeFileSync(file, "");
  await expect.poll(async () => (await fetch(url + location)).status, patience).toBe(200);
  expect(await (await fetch(url + location)).text()).toBe("old");
  await client.close();
});

test("a type that another file declares counts with its next save", async () => {
  expect((await post("wait", { label: "new", file: "/" })).status).toBe(422);
  edit("src/model.ts", '"still"', '"still" | "new"');
  await expect.poll(async () => (await post("wait", { label: "new", file: "/" })).status, patience).toBe(200);
});

test("a saved view is in the next document that a host reads; one with a mistake leaves the last", async () => {
  const viewUri = "ui://prime-numbers/wait.html";
  const view = async (): Promise<string> => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "wait")?._meta).toEqual({ ui: { resourceUri: viewUri } });
    const { contents } = await client.readResource({ uri: viewUri });
    await client.close();
    return (contents[0] as { text: string }).text;
  };
  expect(await view()).toContain("the first view");
  edit("src/parts.ts", "first", "second");
  await expect.poll(view, patience).toContain("the second view");
  edit("src/parts.ts", '"the second view"', '"the third view');
  await expect.poll(() => said.join("\n"), patience).toContain("TN121");
  expect(await view()).toContain("the second view");
  edit("src/parts.ts", '"the third view', '"the third view"');
  await expect.poll(view, patience).toContain("the third view");
});

test("a mistake is told while the last good build serves, and is over with the fix", async () => {
  said.length = 0;
  edit("src/model.ts", '"new"', "symbol");
  await expect.poll(() => said.join("\n"), patience).toContain("The last good build keeps serving.");
  expect(said.join("\n")).toContain("TN301");
  expect((await post("wait", { label: "still", file: "/" })).status).toBe(200);
  edit("src/model.ts", "symbol", "null");
  await expect.poll(async () => (await post("wait", { label: null, file: "/" })).status, patience).not.toBe(422);
});

test("a save that does not start is told with its reason while the last good build serves", async () => {
  const failure = async (): Promise<unknown> =>
    ((await (await fetch(`${url}/service.json/failure`)).json()) as { failure?: unknown }).failure;
  said.length = 0;
  edit("src/service.ts", '"Tests numbers." })', '"Tests numbers." }), { auth: { issuer: "nowhere", audience: "a" } }');
  await expect.poll(() => said.join("\n"), patience).toContain("The last good build keeps serving.");
  expect(said.join("\n")).toMatch(/^The service does not start: .*nowhere/m);
  expect(await failure()).toMatch(/^The service does not start: .*nowhere/);
  expect(await isPrime(7)).toBe(true);
  edit("src/service.ts", ', { auth: { issuer: "nowhere", audience: "a" } }', "");
  await expect.poll(failure, patience).toBeUndefined();
});

test("a module without tools that changed is loaded with all that import it, in threads as well; stacks name the source", async () => {
  const speak = async (): Promise<string> => (await post("speak", {})).text();
  expect(await speak()).toBe("onetrue");
  edit("src/word.ts", "one", "two");
  await expect.poll(speak, patience).toBe("twotrue");
  edit("src/word.ts", "two", "throw");
  await expect.poll(async () => (await post("speak", {})).status, patience).toBe(500);
  await expect.poll(() => said.join("\n"), patience).toContain("src/speak.ts:10:31");
});

test("a second one in the package neither takes the files of the first nor leaves its own", async () => {
  const folders = (): readonly string[] => readdirSync(join(user.root, ".tenon/dev")).toSorted();
  const before = folders();
  const other = await serve([]);
  expect(folders()).toEqual(expect.arrayContaining([...before, String(other.child.pid)]));
  expect(other.url).not.toBe(url);
  await end(other.child);
  expect(folders()).toEqual(before);
});

test("tools come and go with the imports of the service, and a module that fails keeps what was there", async () => {
  const paths = async (): Promise<string> => (await fetch(`${url}/openapi.json`)).text();
  edit("src/service.ts", 'import "./wait.js";\n', "");
  await expect.poll(paths, patience).not.toContain("/tool/wait");
  expect(await isPrime(7)).toBe(true);
  edit("src/service.ts", 'import "./speak.js";\n', 'import "./wait.js";\nimport "./late.js";\n');
  await expect.poll(() => said.join("\n"), patience).toContain("Could not resolve './late.js'");
  user.write({ "src/late.ts": 'throw new Error("too early");\n' });
  await expect.poll(() => said.join("\n"), patience).toContain("src/late.ts:1:7");
  expect(await isPrime(7)).toBe(true);
  edit("src/late.ts", "throw new", "export const late =");
  await expect.poll(paths, patience).toContain("/tool/wait");
  expect(await paths()).not.toContain("/tool/speak");
});

test("a new skill is served, with a file that comes to it later, without a save of a module", async () => {
  const read = async (path: string): Promise<unknown> => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    const found = client.readResource({ uri: `skill://counting/${path}` });
    const text = await found
      .then(({ contents: [content] }) => content && "text" in content && content.text)
      .catch(String);
    await client.close();
    return text;
  };
  const skill = "---\nname: counting\ndescription: When to count.\n---\n\nCount.\n";
  expect(await read("SKILL.md")).not.toBe(skill);
  user.write({ "src/skills/counting/SKILL.md": skill });
  await expect.poll(() => read("SKILL.md"), patience).toBe(skill);
  user.write({ "src/skills/counting/references/primes.md": "2, 3, 5\n" });
  await expect.poll(() => read("references/primes.md"), patience).toBe("2, 3, 5\n");
  rmSync(join(user.root, "src/skills"), { recursive: true });
  await expect.poll(() => read("SKILL.md"), patience).not.toBe(skill);
});

test("hooks: a save runs the old onStop, then the new onStart; one that fails leaves the last good build", async () => {
  const told = join(user.root, "told");
  writeFileSync(told, "");
  const lines = (): string => readFileSync(told, "utf8");
  const plain = user.read("src/service.ts");
  const save = (word: string, onStart: string = `tell("+${word}");`): void => {
    const hooks = `onStart() { ${onStart} }, onStop() { tell("-${word}"); },`;
    const tell = `const tell = (word: string): void => appendFileSync(${JSON.stringify(told)}, word);`;
    const text = plain.replace("loggingInit();", `${tell}\nloggingInit();`).replace("Service({", `Service({ ${hooks}`);
    user.write({ "src/service.ts": `import { appendFileSync } from "node:fs";\n${text}` });
  };
  save("one");
  await expect.poll(lines, patience).toBe("+one");
  save("two");
  await expect.poll(lines, patience).toBe("+one-one+two");
  save("bad", 'throw new Error("no luck");');
  await expect.poll(lines, patience).toBe("+one-one+two-two+two");
  await expect.poll(() => said.join("\n"), patience).toContain("its onStart failed: no luck");
  expect(await isPrime(7)).toBe(true);
  save("three");
  await expect.poll(lines, patience).toBe("+one-one+two-two+two-two+three");
  user.write({ "src/service.ts": plain });
  await expect.poll(lines, patience).toBe("+one-one+two-two+two-two+three-three");
});

test("the tools of a batch service are served as well, with every save", async () => {
  user.write({ "src/service.ts": user.read("src/service.ts").replaceAll("startLambdaServer", "startBatchService") });
  edit("src/is-prime.ts", "number !== 9", "number !== 15");
  await expect.poll(() => isPrime(15), patience).toBe(true);
  edit("src/is-prime.ts", "number !== 15", "number !== 21");
  await expect.poll(() => isPrime(21), patience).toBe(true);
  expect(said.filter((line) => line.includes("The service ended"))).toEqual([]);
});

test("a process that ended is started again by the next save, on the port that clients know", async () => {
  edit("src/word.ts", "export", "setTimeout(() => process.exit(3), 0);\nexport");
  edit("src/service.ts", 'import "./late.js";\n', 'import "./speak.js";\n');
  await expect.poll(() => said.join("\n"), patience).toContain("The service ended (code 3)");
  edit("src/word.ts", "setTimeout(() => process.exit(3), 0);\n", "");
  await expect.poll(() => isPrime(7).catch(() => undefined), patience).toBe(true);
});
