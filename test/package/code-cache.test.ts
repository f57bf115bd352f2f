import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
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
}

/** Starts the service of a folder, with options of Node, and calls its tool over REST. */
async function start(folder: string, flags: readonly string[], options = ""): Promise<Started> {
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(join(user.root, "watch.mjs")).href} ${options}` };
  const served = await serve(join(user.root, folder, "service.mjs"), flags, env);
  const headers = { "content-type": "application/json" };
  const answer = await (await fetch(`${served.url}/tool`, { method: "POST", headers, body: right })).json();
  expect(await served.stop()).toBe(0);
  return { answer, compiled: [...served.stderr().matchAll(/^compiled: (.+)$/gm)].map(([, text = ""]) => text) };
}

const answer = expect.objectContaining({ number: 997, isPrime: true }) as unknown;

const chunksOf = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(user.root, folder, "chunks")).filter((name) => name.endsWith(ending));

test("what a start loads of the runtime is compiled by the build, and V8 takes it", async () => {
  const rest = await start("dist", []);
  expect(rest).toEqual({ answer, compiled: ["runtime taken", "jobs taken"] });
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

const spoil: Readonly<Record<string, (file: string) => void>> = {
  runtime: (file) => rmSync(file),
  jobs: (file) => writeFileSync(file, ""),
  mcp: (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
  "mcp-calls": (file) => {
    const bytes = readFileSync(file);
    // The second word of V8's header is a hash of its version.
    bytes.writeUInt8(bytes.readUInt8(4) ^ 1, 4);
    writeFileSync(file, bytes);
  },
};

test("where compiled code is gone, empty, cut off or of another V8, the service compiles as ever", async () => {
  cpSync(join(user.root, "dist"), join(user.root, "spoilt"), { recursive: true });
  for (const file of chunksOf("spoilt", ".cache"))
    spoil[file.replace(/-[\w-]{8}\.cache$/, "")]?.(join(user.root, "spoilt/chunks", file));
  const started = await start("spoilt", mcp);
  expect(started.answer).toEqual(answer);
  const expected = ["runtime missing", "mcp refused", "jobs refused", "mcp-calls refused"];
  expect(started.compiled.toSorted()).toEqual(expected.toSorted());
});

test("an option with which V8 refuses compiled code changes nothing else", async () => {
  const started = await start("dist", [], "--stack-trace-limit=50");
  expect(started).toEqual({ answer, compiled: ["runtime refused", "jobs refused"] });
});

test("--no-code-cache leaves the chunks as modules, and takes away what an earlier build left", async () => {
  cpSync(join(user.root, "dist"), join(user.root, "plain"), { recursive: true });
  expect(user.tenon("build", "--outdir", "plain", "--no-code-cache")).toMatchObject({ status: 0 });
  expect([...chunksOf("plain", ".cache"), ...chunksOf("plain", ".js")]).toEqual([]);
  expect(await start("plain", [])).toEqual({ answer, compiled: [] });
});

test("a shortened bundle has compiled code, too", async () => {
  expect(user.tenon("build", "--outdir", "short", "--minify")).toMatchObject({ status: 0 });
  const { compiled } = await start("short", mcp);
  expect(compiled.toSorted()).toEqual(all.toSorted());
});
