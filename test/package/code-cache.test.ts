import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject, serve } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let user: PackedProject;
let listed: readonly { readonly file: string; readonly bytes: number; readonly entry: boolean }[];
let answer: unknown;
beforeAll(async () => {
  user = packedProject(primeFiles);
  ({ files: listed } = JSON.parse(user.tenon("build", "--json").stdout) as { files: typeof listed });
  answer = await answerOf("dist");
});
afterAll(() => user.dispose());

const endings = /\.(?:mjs\.map|mjs|js|cache)$/;

/** Names of chunks without their hashes, with the endings of their files. */
function filesOf(folder: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const file of readdirSync(join(user.root, folder, "chunks")).toSorted()) {
    const name = file.replace(endings, "").replace(/-[\w-]{8}$/, "");
    (found[name] ??= []).push(endings.exec(file)?.[0] ?? file);
  }
  return found;
}

const cached = [".cache", ".js", ".mjs", ".mjs.map"];
const started = ["runtime", "jobs", "mcp", "mcp-calls"];

const cachesIn = (folder: string): readonly string[] =>
  readdirSync(join(user.root, folder, "chunks")).flatMap((name) =>
    name.endsWith(".cache") ? [join(user.root, folder, "chunks", name)] : [],
  );

/** What the service in a folder answers over REST. */
async function answerOf(folder: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const served = await serve(join(user.root, folder, "service.mjs"), ["--with-mcp"], env);
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${served.url}/tool`, { method: "POST", headers, body: '{"number":997}' });
    return await answer.json();
  } finally {
    expect(await served.stop()).toBe(0);
  }
}

/** Whether V8 refuses each compiled script of a folder, with options of Node. */
function refusals(folder: string, ...options: readonly string[]): readonly string[] {
  const check = `const { readFileSync } = require("node:fs"), { Script } = require("node:vm");
    for (const file of process.argv.slice(1)) {
      const filename = file.replace(/cache$/, "js");
      const script = new Script(readFileSync(filename, "latin1"), { filename, cachedData: readFileSync(file) });
      console.log(script.cachedDataRejected);
    }`;
  return user
    .node([...options, "-e", check, ...cachesIn(folder)])
    .stdout.trim()
    .split("\n");
}

test("what starts load is compiled by the build, and this Node takes it", () => {
  const found = filesOf("dist");
  for (const name of started) expect(found).toHaveProperty([name], cached);
  const taken = started.map(() => "false");
  expect(refusals("dist")).toEqual(taken);
  expect(refusals("dist", "--max-old-space-size=300", "--enable-source-maps")).toEqual(taken);
});

test("the build lists what it wrote, once each", () => {
  const chunks = readdirSync(join(user.root, "dist/chunks")).map((name) => `chunks/${name}`);
  const written = ["service.mjs", ...chunks.filter((file) => !file.endsWith(".map"))];
  expect(listed.map(({ file }) => file).toSorted()).toEqual(written.toSorted());
  expect(listed.filter(({ entry }) => entry).map(({ file }) => file)).toEqual(["service.mjs"]);
  for (const { file, bytes } of listed) expect(readFileSync(join(user.root, "dist", file)).length).toBe(bytes);
});

const spoil: readonly ((file: string) => void)[] = [
  (file) => rmSync(file),
  (file) => writeFileSync(file, ""),
  (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
  (file) => {
    const bytes = readFileSync(file);
    // The second word of V8's header is a hash of its version.
    bytes.writeUInt8(bytes.readUInt8(4) ^ 1, 4);
    writeFileSync(file, bytes);
  },
];

test("compiled code that is gone, empty, cut off or of another V8 is compiled as ever", async () => {
  cpSync(join(user.root, "dist"), join(user.root, "spoilt"), { recursive: true });
  const caches = cachesIn("spoilt");
  expect(caches).toHaveLength(spoil.length);
  for (const [index, file] of caches.entries()) spoil[index]?.(file);
  expect(refusals("spoilt")).toEqual(["true", "true", "true"]);
  expect(await answerOf("spoilt")).toEqual(answer);
});

test("an option with which V8 refuses compiled code changes nothing else", async () => {
  expect(refusals("dist", "--stack-trace-limit=50")).toEqual(started.map(() => "true"));
  expect(await answerOf("dist", { NODE_OPTIONS: "--stack-trace-limit=50" })).toEqual(answer);
});

test("--no-code-cache leaves the chunks as modules, and takes away what an earlier build left", async () => {
  cpSync(join(user.root, "dist"), join(user.root, "plain"), { recursive: true });
  expect(user.tenon("build", "--outdir", "plain", "--no-code-cache")).toMatchObject({ status: 0 });
  for (const files of Object.values(filesOf("plain")))
    expect([".cache", ".js"].filter((one) => files.includes(one))).toEqual([]);
  expect(await answerOf("plain")).toEqual(answer);
});

test("a shortened bundle has compiled code, too", async () => {
  user.tenon("build", "--outdir", "short", "--minify");
  expect(cachesIn("short")).toHaveLength(started.length);
  expect(await answerOf("short")).toEqual(answer);
});
