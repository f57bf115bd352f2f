import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bareEnv } from "../support/bare-env.ts";
import { packedProject, serve, type PackedProject, type Served } from "../support/packed-project.ts";
import { startWorkerd } from "../support/workerd.ts";

/** One tool with every class, and one that takes a while. */
const tools = `import { BaseEvent, BinaryResult, type JobContext } from "tenon";

/** A note. @schema urn:example:schema.note.1 */
export interface Note {
  /** Its time. */
  at: Date;
  link?: URL;
  size: bigint;
  bytes: Uint8Array;
  words: Set<string>;
  parts: Map<string, Date>;
  next?: Note;
}

/** Gives a note back.
 * @tool @readonly */
export function echo(note: Note): Note {
  if (!(note.at instanceof Date) || !(note.words instanceof Set)) throw new TypeError("not decoded");
  return note;
}

/** A word that was found. */
export class FoundEvent extends BaseEvent {
  static override readonly SCHEMA = "urn:example:schema.found.1";
  constructor(readonly word: string, readonly at: Date) { super(); }
}

/** Searches in steps.
 * @tool
 * @schema urn:example:schema.search.request.1
 * @param text - Where to search.
 * @param most - The most words. */
export async function search(text: string, job: JobContext, most?: number): Promise<number> {
  await job.report.step("read", { message: "Reading" }, (step) => step.info({ progress: 50 }));
  job.report.emit(new FoundEvent(text, new Date(0)));
  return most ?? 0;
}

/** A picture.
 * @tool @readonly */
export function picture(): BinaryResult {
  return new BinaryResult("<svg/>", "image/svg+xml");
}

/** Counts in steps.
 * @tool
 * @schema urn:example:schema.count.request.1
 * @param to - The last number. */
export async function count(to: number, job: JobContext): Promise<number> {
  for (let n = 1; n <= to; n++) await job.report.step("count " + n, () => undefined);
  return to;
}
`;
const service = `import { loggingInit, Service, startLambdaServer } from "tenon";
import "./tools.ts";
loggingInit();
await startLambdaServer(new Service({ name: "Notes" }), { maxWaitTime: 0 });
`;
const use = `const at = new Date("2026-11-23T10:00:00.000Z");
const note = {
  at, link: new URL("https://example.org/a?b=c"), size: 2n ** 70n, bytes: new Uint8Array([0, 255]),
  words: new Set(["a", "b"]), parts: new Map([["one", at]]),
};
const client = createClient({ url });
const echoed = await client.echo({ ...note, next: note });
const same = (a, b) => a.at.getTime() === b.at.getTime() && a.link.href === b.link.href && a.size === b.size &&
  a.bytes.join() === b.bytes.join() && [...a.words].join() === [...b.words].join() &&
  a.parts.get("one").getTime() === b.parts.get("one").getTime();
const picture = await client.picture();
const job = await client.count.start({ to: 3 });
const steps = [];
for await (const { data } of job.events()) steps.push(data.name);
const search = await client.search.start({ text: "tree", most: 2 });
const reports = [];
const most = await search.progress(({ step, percent, message }) => reports.push([step, percent, message]));
const found = [];
for await (const event of search.events()) if (event.schema === "urn:example:schema.found.1") found.push(event.data.word);
const refused = await client.count({ to: "x" }).catch((error) => error);
const seen = {
  same: same(echoed, note) && same(echoed.next, note), picture: [picture.type, await picture.text()], steps,
  reports, most, found, counted: await job.result(), refused: isCallError(refused) && [refused.kind, refused.problems[0].path],
};
`;
const imports = { "use-types.mjs": "tenon/client", "use-file.mjs": "./api.ts" };
/** A program that gets the address of the service and prints what it saw, and a worker that answers with it. */
const program = (from: string): string =>
  `import { createClient, isCallError } from "${from}";\nconst url = process.argv[2];\n${use}console.log(JSON.stringify(seen));`;
const worker = (from: string, url: string): string =>
  `import { createClient, isCallError } from "${from}";\nexport default { async fetch() {\nconst url = "${url}";\n${use}return Response.json(seen);\n} };`;
const expected = {
  same: true,
  picture: ["image/svg+xml", "<svg/>"],
  steps: ["count 1", "count 1", "count 2", "count 2", "count 3", "count 3"],
  reports: [
    ["read", null, "Reading"],
    ["read", 50, null],
    ["read", 100, null],
  ],
  most: 2,
  found: ["tree"],
  counted: 3,
  refused: ["validation", "/to"],
};
/** Types of a caller, in the same repository and elsewhere. */
const typed = (from: string, made: string): string => `${from}
${made}
const at: Date = (await client.echo({ at: new Date(), size: 1n, bytes: new Uint8Array(), words: new Set<string>(), parts: new Map() })).at;
const words: ReadonlySet<string> = (await client.echo({ at: "2026-11-23T10:00:00Z", size: "1", bytes: "", words: [], parts: {} })).words;
const picture: Blob = await client.picture();
const counted: number = await (await client.count.start({ to: 1 }, { signal: AbortSignal.timeout(1) })).result();
const job = await client.search.start({ text: "tree" });
const most: number = await job.progress(({ step, percent, message }) => {
  const shown: [string, number | undefined, string | undefined] = [step, percent, message];
  console.log(shown, most);
});
for await (const event of job.events())
  if (isEvent<typeof FoundEvent>(event, "urn:example:schema.found.1")) {
    const told: [word: string, at: string, sequence: number] = [event.data.word, event.data.at, event.data.sequence];
    console.log(told);
  }
// @ts-expect-error -- the class has another URN
isEvent<typeof FoundEvent>({ schema: "" }, "urn:example:schema.lost.1");
// @ts-expect-error -- a text is not a number
await client.count({ to: "1" });
// @ts-expect-error -- the request has no time
await client.echo({});
// @ts-expect-error -- there is no such tool
await client.other();
try {
  await client.picture();
} catch (error) {
  if (isCallError(error) && error.kind === "validation") console.log(error.problems[0].path, at, words, picture, counted);
}
`;

/** Types of positional parameters by their names. */
const namesTyped = `import { createClient, isCallError } from "tenon/client";
import { createClient as createOther } from "./api.js";
import type { ParameterNames } from "./names.js";
import type * as tools from "./src/tools.js";
const client = createClient<typeof tools, ParameterNames>({ url: "http://127.0.0.1:1" });
const found: number = await client.search({ text: "tree" });
await client.search({ text: "tree", most: 2 });
await client.echo({ at: new Date(), size: 1n, bytes: new Uint8Array(), words: new Set<string>(), parts: new Map() });
await client.picture();
// @ts-expect-error -- there is no such parameter
await client.search({ txt: "tree" });
// @ts-expect-error -- the text is missing
await client.search({ most: 2 });
// @ts-expect-error -- a text is not a number
await client.search({ text: "tree", most: "2" });
// @ts-expect-error -- one too many
await client.count({ to: 1, from: 2 });
try {
  await createOther({ url: "http://127.0.0.1:1" }).picture();
} catch (error) {
  if (isCallError(error)) console.log(error.kind, found);
}
`;

let user: PackedProject;
let served: Served;
beforeAll(async () => {
  user = packedProject({
    // Deno imports what a project names.
    "package.json": '{ "name": "notes", "private": true, "type": "module", "dependencies": { "tenon": "*" } }',
    "src/tools.ts": tools,
    "src/service.ts": service,
    ...Object.fromEntries(Object.entries(imports).map(([file, from]) => [file, program(from)])),
    "typed-here.ts": typed(
      'import { createClient, isCallError, isEvent } from "tenon/client";\nimport type * as tools from "./src/tools.js";\nimport type { FoundEvent } from "./src/tools.js";',
      'const client = createClient<typeof tools>({ url: "http://127.0.0.1:1" });',
    ),
    "typed-names.ts": namesTyped,
    "typed-file.ts": typed(
      'import { createClient, isCallError } from "./api.js";\nimport { isEvent } from "tenon/client";\nimport type { FoundEvent } from "./src/tools.js";',
      'const client = createClient({ url: "http://127.0.0.1:1" });',
    ),
  });
  expect(user.tenon("build", "--no-code-cache")).toMatchObject({ status: 0 });
  served = await serve(`${user.root}/dist/service.mjs`);
  const written = user.tenon("client", served.url, "-o", "api.ts");
  expect(written).toMatchObject({ status: 0, stderr: expect.stringContaining("wrote api.ts") });
  const names = user.tenon("client", "service.json", "--names", "-o", "names.d.ts");
  expect(names).toMatchObject({ status: 0, stderr: expect.stringContaining("wrote names.d.ts") });
});
afterAll(async () => {
  await served.stop();
  user.dispose();
});

describe.each([
  ["Node", process.execPath, []],
  ["Bun", resolve("node_modules/.bin/bun"), []],
  ["Deno", resolve("node_modules/.bin/deno"), ["run", "-A", "--no-lock", "--node-modules-dir=manual"]],
])("on %s", (_, command, words) => {
  test.each(Object.keys(imports))("%s", (file) => {
    const { stdout, stderr } = spawnSync(command, [...words, file, served.url], {
      cwd: user.root,
      encoding: "utf8",
      env: { ...bareEnv(), HOME: user.root, DENO_DIR: user.root, DENO_NO_UPDATE_CHECK: "1", PATH: process.env["PATH"] },
    });
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining("{"), stderr: "" });
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});

test.each(Object.values(imports))("in a worker (workerd) without anything of Node: %s", async (from) => {
  user.write({ "worker-source.mjs": worker(from, served.url) });
  await build({
    entryPoints: [`${user.root}/worker-source.mjs`],
    outfile: `${user.root}/worker.mjs`,
    bundle: true,
    format: "esm",
    platform: "neutral",
    logLevel: "error",
  });
  const response = await fetch(await startWorkerd(user.root, []));
  expect(await response.json()).toEqual(expected);
});

test("in a browser's bundle there is nothing but the client", async () => {
  const { metafile, outputFiles } = await build({
    // Without a program of the test: its length is none of the client.
    stdin: { contents: 'export { createClient, isCallError } from "tenon/client"', resolveDir: user.root },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
  });
  const inputs = Object.keys(metafile.inputs).filter(
    (file) => !/<stdin>|dist\/runtime\/(?:client|contract)\//.test(file),
  );
  expect(inputs).toEqual([]);
  expect(outputFiles[0]?.text.length).toBeLessThan(15_400);
});

test.each(["typescript-5/node_modules/typescript", "", "typescript-7/node_modules/typescript"])(
  "types hold under TypeScript %s",
  (version) => {
    const compiler = version === "" ? "node_modules/typescript" : `test/versions/${version}`;
    const words = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "--target", "es2023"];
    const { status, stdout } = user.node([
      resolve(compiler, "bin/tsc"),
      ...words,
      "--module",
      "nodenext",
      "--lib",
      "es2024,dom,dom.iterable,esnext.disposable",
      "--types",
      "node",
      "typed-here.ts",
      "typed-file.ts",
      "typed-names.ts",
    ]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  },
);

test("tells what it cannot make, and that a file is up to date", () => {
  expect(user.tenon("client", served.url, "-o", "api.ts").stderr).toContain("api.ts is up to date");
  expect(user.tenon("client", "service.json", "-o", "api.ts", "--check")).toMatchObject({ status: 0 });
  user.write({ "old.ts": "" });
  expect(user.tenon("client", "service.json", "-o", "old.ts", "--check")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("run `tenon client service.json -o old.ts`"),
  });
  expect(user.tenon("client")).toMatchObject({ status: 2, stderr: expect.stringContaining("Name the service") });
  expect(user.tenon("client", "service.json", "--check")).toMatchObject({ status: 2 });
  expect(user.tenon("client", "service.json", "-o", "no/api.ts")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("There is no folder no."),
  });
  user.write({
    "batch.json": JSON.stringify({ name: "B", tools: [], "controller-schema": "urn:platform:schema.service.batch.1" }),
  });
  expect(user.tenon("client", "batch.json").stderr).toContain("B is a batch service");
  expect(user.tenon("client", "http://127.0.0.1:1").stderr).toContain("cannot be reached");
});

test("an error of a generated client is known to the package, and the other way round", () => {
  user.write({
    "both.mjs": `import * as ours from "tenon/client";
import * as theirs from "./api.ts";
const failure = ({ createClient }) => createClient({ url: "http://127.0.0.1:1", retry: { limit: 0 } }).picture().catch((error) => error);
console.log(ours.isCallError(await failure(theirs)), theirs.isCallError(await failure(ours)), ours.isCallError(new Error()));
`,
  });
  expect(user.node(["both.mjs"])).toMatchObject({ stdout: "true true false\n" });
});

test("the names of parameters are those of the functions, and --check tells when they moved on", () => {
  expect(user.read("names.d.ts")).toContain('readonly search: readonly ["text", "most"];');
  expect(user.tenon("client", "service.json", "--names", "-o", "names.d.ts", "--check")).toMatchObject({ status: 0 });
  expect(user.tenon("client", "service.json", "--names", "-o", "old.ts", "--check")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("run `tenon client service.json --names -o old.ts`"),
  });
});
