import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject, serve } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let user: PackedProject;
beforeAll(() => {
  user = packedProject(primeFiles);
  expect(user.tenon("build")).toMatchObject({ status: 0 });
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
  const { stdout } = user.tenon("build", "--outdir", "listed", "--json");
  const { files } = JSON.parse(stdout) as { files: readonly { file: string; bytes: number; entry: boolean }[] };
  const written = ["service.mjs", ...readdirSync(join(user.root, "listed/chunks")).map((name) => `chunks/${name}`)];
  expect(files.map(({ file }) => file).toSorted()).toEqual(written.filter((file) => !file.endsWith(".map")).toSorted());
  expect(files.filter(({ entry }) => entry).map(({ file }) => file)).toEqual(["service.mjs"]);
  for (const { file, bytes } of files) expect(readFileSync(join(user.root, "listed", file)).length).toBe(bytes);
});

const spoil: Readonly<Record<string, (file: string) => void>> = {
  gone: (file) => rmSync(file),
  "cut off": (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
  empty: (file) => writeFileSync(file, ""),
  "of another version of V8": (file) => {
    const bytes = readFileSync(file);
    // The second word of V8's header is a hash of its version.
    bytes.writeUInt8(bytes.readUInt8(4) ^ 1, 4);
    writeFileSync(file, bytes);
  },
};

test.each(Object.keys(spoil))("a service whose compiled code is %s compiles as ever", async (what) => {
  const folder = `spoilt-${what.replaceAll(" ", "-")}`;
  cpSync(join(user.root, "dist"), join(user.root, folder), { recursive: true });
  for (const file of cachesIn(folder)) spoil[what]?.(file);
  expect(await answerOf(folder)).toEqual(await answerOf("dist"));
});

test("an option with which V8 refuses compiled code changes nothing else", async () => {
  expect(refusals("dist", "--stack-trace-limit=50")).toEqual(started.map(() => "true"));
  expect(await answerOf("dist", { NODE_OPTIONS: "--stack-trace-limit=50" })).toEqual(await answerOf("dist"));
});

test("--no-code-cache leaves the chunks as modules, and takes away what an earlier build left", async () => {
  user.tenon("build", "--outdir", "plain");
  expect(cachesIn("plain")).toHaveLength(started.length);
  expect(user.tenon("build", "--outdir", "plain", "--no-code-cache")).toMatchObject({ status: 0 });
  for (const files of Object.values(filesOf("plain")))
    expect([".cache", ".js"].filter((one) => files.includes(one))).toEqual([]);
  expect(await answerOf("plain")).toEqual(await answerOf("dist"));
});

test("a shortened bundle has compiled code, too", async () => {
  user.tenon("build", "--outdir", "short", "--minify");
  expect(cachesIn("short")).toHaveLength(started.length);
  expect(await answerOf("short")).toEqual(await answerOf("dist"));
});
