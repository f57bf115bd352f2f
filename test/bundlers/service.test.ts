import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileProject } from "../../plugin/index.ts";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";
import { bundlerNames, bundlers, type BundleRequest, type BundleResult } from "./six-bundlers.ts";

let project: BundlerProject;
beforeAll(async () => {
  project = await bundlerProject();
  // The author has a copy of the API of OpenTelemetry that is not tenon's, as where npm could not share one.
  const api = "node_modules/@opentelemetry/api";
  rmSync(project.path(api), { recursive: true, force: true });
  for (const folder of ["", "node_modules/tenon/"])
    cpSync(api, project.path(folder + api), { recursive: true, dereference: true });
  project.edit("src/service.ts", "import { Service", 'import { trace } from "@opentelemetry/api";\nimport { Service');
  project.edit("src/tools/slug.ts", " * @tool", " * @tool\n * @view ./slug.view.ts");
  project.write({ "src/tools/slug.view.ts": 'document.body.textContent = "slugs ahead";\n' });
  project.write({
    "src/skills/bundlers/SKILL.md":
      "---\nname: bundlers\ndescription: Travels with the bundle.\n---\n\nRead me in each bundle.\n",
  });
  project.edit("src/service.ts", "await start", 'trace.getTracer("author").startSpan("begin").end();\n\nawait start');
});
afterAll(() => project[Symbol.dispose]());

const outdirOf = (name: string): string => project.path("out", name);

function bundle(name: string, more: Partial<BundleRequest> = {}): Promise<BundleResult> {
  const make = bundlers[name];
  if (make === undefined) throw new Error(name);
  return make({ root: project.root, outdir: outdirOf(name), plugins: project.plugins, ...more });
}

/** Number of times that a text of a package stands in the code of a build. */
function copiesOf(text: string, folder: string): number {
  const files = globSync("**/*.{js,mjs,cjs}", { cwd: folder });
  return files.reduce((sum, file) => sum + readFileSync(`${folder}/${file}`, "utf8").split(text).length - 1, 0);
}

describe("a whole service", () => {
  const definitions = new Map<string, string>();

  test.each(bundlerNames)("%s: one plugin, no more configuration, runs from an empty folder", async (name) => {
    rmSync(project.path("service.json"), { force: true });
    expect(await bundle(name, { minify: name.length % 2 === 0, optimize: true })).toEqual({ warnings: [] });
    definitions.set(name, project.read("service.json"));
    expect(copiesOf("Read me in each bundle.", outdirOf(name))).toBe(1);
    expect(copiesOf("Attempted duplicate registration of API", outdirOf(name))).toBe(1);
    const { status, stdout, stderr } = runMoved(outdirOf(name), "service.mjs", ["--print-service-description"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(definitions.get(name)?.replace("#SERVICE_ID#", JSON.parse(stdout).$id));
  });

  test.each(bundlerNames)(
    "%s: the view of a tool is in the build, and what is loaded later comes while the entry waits",
    (name) => {
      const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
      const messages = [
        { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", id: 2, method: "resources/read", params: { uri: "ui://bundlers/slug.html" } },
        { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "isPrime", arguments: { number: "x" } } },
      ];
      const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
      const flags = ["--with-mcp-stdio"];
      const { stdout } = runMoved(outdirOf(name), "service.mjs", flags, process.execPath, {}, input);
      const answer = stdout.split("\n").find((line) => line.includes('"id":2')) ?? "{}";
      const { contents } = (JSON.parse(answer) as { result: { contents: readonly { text: string }[] } }).result;
      expect(contents[0]?.text).toContain("slugs ahead");
      // The words for a refusal are loaded now, while the entry waits for its input: they must not wait for the entry.
      expect(stdout).toContain('got \\"x\\"');
    },
  );

  test("service.json is the same, byte for byte", () => {
    expect([...definitions.keys()]).toEqual(bundlerNames);
    expect(new Set(definitions.values()).size).toBe(1);
    const [text] = definitions.values();
    expect(JSON.parse(text ?? "")).toMatchObject({
      name: "Bundlers",
      version: "1.2.3",
      tools: [{ name: "isPrime", path: "/tool/isPrime" }, { name: "shout" }, { name: "slug" }],
    });
    expect(text?.endsWith("}\n")).toBe(true);
  });
});

test("the command line makes the same definition without a bundler", async () => {
  await bundle("rolldown");
  const { diagnostics, service } = await compileProject({ root: project.root, entry: "src/service.ts" });
  expect(diagnostics).toEqual([]);
  expect(service?.file).toBe(project.path("service.json"));
  expect(service?.text).toBe(project.read("service.json"));
});

// One of each family of hosts.
const families = ["esbuild", "rollup", "rolldown", "rspack"];

test.each(families)("%s: the built entry knows its own file and the package's version", async (name) => {
  project.write({
    "src/marked.ts": `import "./tools/is-prime.js";
const startLambdaServer = (): void => {
  const known = globalThis as unknown as { [key: symbol]: string };
  console.log(known[Symbol.for("tenon.entry")]?.split("/").at(-1), known[Symbol.for("tenon.version")]);
};
startLambdaServer();
`,
  });
  const outdir = project.path("marked", name);
  await bundle(name, { entry: "src/marked.ts", outdir });
  const file =
    ["marked.mjs", "service.mjs"].find((one) => existsSync(project.path("marked", name, one))) ?? "marked.js";
  expect(runMoved(outdir, file)).toEqual({ status: 0, stdout: `${file} 1.2.3\n`, stderr: "" });
});

test.each(["esbuild", "rolldown", "rspack"])(
  "%s: runMcpStdio behind the entry guards standard output",
  async (name) => {
    project.write({
      "src/behind.ts": 'import "./serve.js";\n',
      "src/serve.ts": `import { runMcpStdio, Service } from "tenon";
import "./tools/slug.js";
console.log("loud");
if (process.argv.length > 2) await runMcpStdio(new Service({ name: "S" }));
`,
    });
    const outdir = project.path("behind", name);
    expect(await bundle(name, { entry: "src/behind.ts", outdir })).toEqual({ warnings: [] });
    const file = ["behind.js", "service.mjs"].find((one) => existsSync(project.path("behind", name, one)));
    expect(runMoved(outdir, file ?? "no entry")).toEqual({ status: 0, stdout: "", stderr: "loud\n" });
  },
);

describe("service.json", () => {
  test("is not touched when nothing changed, and not written when the option says so", async () => {
    await bundle("esbuild");
    const before = statSync(project.path("service.json"), { bigint: true });
    await bundle("esbuild");
    expect(statSync(project.path("service.json"), { bigint: true }).mtimeNs).toBe(before.mtimeNs);
    rmSync(project.path("service.json"));
    await bundle("esbuild", { tenon: { service: false } });
    expect(existsSync(project.path("service.json"))).toBe(false);
  });

  test("goes where the option says, also into a new folder", async () => {
    await bundle("rolldown", { tenon: { service: "generated/definition.json" } });
    expect(JSON.parse(project.read("generated/definition.json"))).toMatchObject({ name: "Bundlers" });
    expect(existsSync(project.path("service.json"))).toBe(false);
  });
});
