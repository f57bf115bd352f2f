import { hash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checksumOf } from "../../cli/build/chunk-script.ts";
import { type PackedProject, packedProject, serve } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

/** Loaded before a service: tells what V8 does with compiled code. */
const watch = `import vm from "node:vm";
const { Script } = vm;
vm.Script = class extends Script {
  constructor(code, options) {
    super(code, options);
    const name = /(\\w[\\w-]*)-[\\w-]{8}\\.js$/.exec(options?.filename)?.[1];
    const state = options?.cachedData === undefined ? "missing" : this.cachedDataRejected ? "refused" : "taken";
    if (name !== undefined) console.error("compiled:", name, state);
  }
};`;

const right = '{"number":997}';
const mcp = ["--with-mcp"];
/** The chunks that starts load, each with its compiled code. */
const all = ["runtime taken", "mcp taken", "jobs taken", "mcp-calls taken"];

let user: PackedProject;
let listed: readonly { readonly file: string; readonly bytes: number; readonly entry: boolean }[];
beforeAll(() => {
  user = packedProject({ ...primeFiles, "watch.mjs": watch });
  ({ files: listed } = JSON.parse(user.tenon("build", "--json").stdout) as { files: typeof listed });
});
afterAll(() => user.dispose());

interface Started {
  readonly answer: unknown;
  /** Scripts in the order in which they were loaded, and whether V8 took their compiled code. */
  readonly compiled: readonly string[];
  /** Chunks whose files the service found changed. */
  readonly noticed: readonly string[];
  /** Word with which the service says where it listens. */
  readonly greeting: readonly string[];
}

/** Starts the service of a folder, with options of Node, and calls its tool over REST. */
async function start(folder: string, flags: readonly string[], options = ""): Promise<Started> {
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(join(user.root, "watch.mjs")).href} ${options}` };
  const served = await serve(join(user.root, folder, "service.mjs"), flags, env);
  const headers = { "content-type": "application/json" };
  const answer = await (await fetch(`${served.url}/tool`, { method: "POST", headers, body: right })).json();
  expect(await served.stop()).toBe(0);
  const found = (pattern: RegExp): readonly string[] =>
    [...served.stderr().matchAll(pattern)].map(([, text = ""]) => text);
  return {
    answer,
    compiled: found(/^compiled: (.+)$/gm),
    noticed: found(noticed),
    greeting: found(/ (\w+) on http:/g),
  };
}

const greeting = ["listens"];
const answer = expect.objectContaining({ number: 997, isPrime: true }) as unknown;

const chunksOf = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(user.root, folder, "chunks")).filter((name) => name.endsWith(ending));

test("what a start loads of the runtime is compiled by the build, and V8 takes it", async () => {
  const rest = await start("dist", []);
  expect(rest).toEqual({ answer, compiled: ["runtime taken", "jobs taken"], noticed: [], greeting });
  const { compiled } = await start("dist", mcp, "--max-old-space-size=300 --enable-source-maps");
  expect(compiled.toSorted()).toEqual(all.toSorted());
});

test("the build lists what it wrote, once each", () => {
  const chunks = readdirSync(join(user.root, "dist/chunks")).map((name) => `chunks/${name}`);
  const written = ["service.mjs", ...chunks.filter((file) => !file.endsWith(".map"))];
  expect(listed.map(({ file }) => file).toSorted()).toEqual(written.toSorted());
  expect(listed.filter(({ entry }) => entry).map(({ file }) => file)).toEqual(["service.mjs"]);
  for (const { file, bytes } of listed) expect(readFileSync(join(user.root, "dist", file)).length).toBe(bytes);
});

test("source maps are those of the author's files, and all only where they are asked for", () => {
  const maps = (folder: string): readonly string[] =>
    readdirSync(join(user.root, folder), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".map"));
  expect(maps("dist")).toEqual(["service.mjs.map"]);
  expect(user.tenon("build", "--outdir", "mapped", "--source-maps")).toMatchObject({ status: 0 });
  expect(maps("mapped").length).toBeGreaterThan(20);
});

/** Chunks of a copy of the built service: name of the chunk to its files' path without ending. */
function copyOf(folder: string): Readonly<Record<string, string>> {
  cpSync(join(user.root, "dist"), join(user.root, folder), { recursive: true });
  const files = chunksOf(folder, ".cache").map((file) => join(user.root, folder, "chunks", file));
  return Object.fromEntries(
    files.map((file) => [/([\w-]+)-[\w-]{8}\.cache$/.exec(file)?.[1] ?? "", file.replace(/\.cache$/, "")]),
  );
}

function changeByte(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(file, bytes);
}

const noticed = /(\w[\w-]*)-[\w-]{8}\.js or its \.cache was changed after the build/g;

test("compiled code that is missing, empty, cut off or changed is not used, and the service compiles as ever", async () => {
  const { runtime, jobs, mcp: early, "mcp-calls": calls } = copyOf("spoilt");
  rmSync(`${runtime}.cache`);
  writeFileSync(`${jobs}.cache`, "");
  writeFileSync(`${early}.cache`, readFileSync(`${early}.cache`).subarray(0, 5000));
  changeByte(`${calls}.cache`, 50_000);
  const started = await start("spoilt", mcp);
  expect(started.answer).toEqual(answer);
  expect(started.compiled.toSorted()).toEqual(all.map((line) => line.replace("taken", "missing")).toSorted());
  expect(started.noticed.toSorted()).toEqual(["jobs", "mcp", "mcp-calls"]);
});

test("a script that was changed runs as it is now, though its length is that of its compiled code", async () => {
  const { runtime } = copyOf("edited");
  const text = readFileSync(`${runtime}.js`, "utf8");
  expect(text).toContain(" listens on ");
  writeFileSync(`${runtime}.js`, text.replace(" listens on ", " LISTENS on "));
  const started = await start("edited", []);
  const compiled = ["runtime missing", "jobs taken"];
  expect(started).toEqual({ answer, compiled, noticed: ["runtime"], greeting: ["LISTENS"] });
});

test("where compiled code is of another V8, the service compiles as ever", async () => {
  const { jobs } = copyOf("other");
  const checksum = (): string => String(checksumOf(readFileSync(`${jobs}.js`), readFileSync(`${jobs}.cache`)));
  const before = checksum();
  // The second word of V8's header is a hash of its version.
  changeByte(`${jobs}.cache`, 4);
  const loader = readFileSync(`${jobs}.mjs`, "utf8");
  expect(loader).toContain(before);
  writeFileSync(`${jobs}.mjs`, loader.replace(before, checksum()));
  expect(await start("other", [])).toEqual({
    answer,
    compiled: ["runtime taken", "jobs refused"],
    noticed: [],
    greeting,
  });
});

test("two builds in different folders write the same bytes", () => {
  const other = packedProject(primeFiles);
  try {
    expect(other.tenon("build")).toMatchObject({ status: 0 });
    const digests = ({ root }: PackedProject): Readonly<Record<string, string>> =>
      Object.fromEntries(
        readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => [name, hash("sha256", readFileSync(join(parentPath, name)))]),
      );
    expect(chunksOf("dist", ".cache")).toHaveLength(all.length);
    expect(digests(other)).toEqual(digests(user));
  } finally {
    other.dispose();
  }
});

test("an option with which V8 refuses compiled code changes nothing else", async () => {
  const started = await start("dist", [], "--stack-trace-limit=50");
  expect(started).toEqual({ answer, compiled: ["runtime refused", "jobs refused"], noticed: [], greeting });
});

test("--no-code-cache leaves the chunks as modules, and takes away what an earlier build left", async () => {
  cpSync(join(user.root, "dist"), join(user.root, "plain"), { recursive: true });
  expect(user.tenon("build", "--outdir", "plain", "--no-code-cache")).toMatchObject({ status: 0 });
  expect([...chunksOf("plain", ".cache"), ...chunksOf("plain", ".js")]).toEqual([]);
  expect(await start("plain", [])).toEqual({ answer, compiled: [], noticed: [], greeting });
});

test("a shortened bundle has compiled code, too", async () => {
  expect(user.tenon("build", "--outdir", "short", "--minify")).toMatchObject({ status: 0 });
  const { compiled } = await start("short", mcp);
  expect(compiled.toSorted()).toEqual(all.toSorted());
});
