import { spawnSync } from "node:child_process";
import { readdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  build,
  createLogger,
  createServer,
  type InlineConfig,
  isRunnableDevEnvironment,
  type ViteDevServer,
} from "vite";
import { type BundlerProject, bundlerProject, runMoved } from "./bundler-project.ts";

let project: BundlerProject;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  project = await bundlerProject();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  project[Symbol.dispose]();
});

function config(more: InlineConfig = {}): InlineConfig {
  return {
    root: project.root,
    configFile: false,
    logLevel: "silent",
    resolve: { alias: { "@": project.path("src") } },
    plugins: [project.plugins.vite()],
    ...more,
  };
}

const broken = { from: "heading: string", to: "heading: symbol" };

describe("vite build", () => {
  test("a library build of a service is a server build", async () => {
    await build(config({ build: { lib: { entry: "src/service.ts", formats: ["es"] } } }));
    expect(readdirSync(project.path("dist"))).toContain("service.mjs");
    expect(runMoved(project.path("dist"), "service.mjs", ["--print-tool-description", "--tool", "slug"])).toMatchObject(
      { status: 0, stderr: "" },
    );
  });

  test("a browser build beside it gets no banner and runs no check of ours", async () => {
    project.write({
      "index.html": '<script type="module" src="/src/page.ts"></script>',
      "src/page.ts": 'console.log("page");',
    });
    await build(config());
    const assets = readdirSync(project.path("dist/assets"));
    expect(project.read(`dist/assets/${assets.find((file) => file.endsWith(".js"))}`)).not.toContain(
      "getBuiltinModule",
    );
  });

  test("in watch mode the error goes away after the fix, and the definition follows good builds only", async () => {
    const [from, to] = [broken.from, broken.to];
    project.edit("src/tools/slug.ts", from, to);
    const watcher = await build(config({ build: { watch: {} } }));
    if (!("on" in watcher)) throw new Error("no watcher");
    closing.push(() => watcher.close());
    const settled = (): Promise<string> =>
      new Promise((done) => {
        const listen = ({ code, ...event }: { code: string; result?: { close(): unknown } | null }): void => {
          if (code !== "ERROR" && code !== "BUNDLE_END") return;
          watcher.off("event", listen as never);
          void event.result?.close();
          done(code);
        };
        watcher.on("event", listen as never);
      });
    expect(await settled()).toBe("ERROR");
    expect(() => project.read("service.json")).toThrow("ENOENT");
    const second = settled();
    project.edit("src/tools/slug.ts", to, from);
    expect(await second).toBe("BUNDLE_END");
    expect(JSON.parse(project.read("service.json"))).toMatchObject({ tools: [{}, {}, {}] });
  });
});

describe("vite's dev server", () => {
  async function serve(): Promise<ViteDevServer> {
    const server = await createServer(config({ server: { middlewareMode: true }, appType: "custom" }));
    closing.push(() => server.close());
    return server;
  }

  async function load(server: ViteDevServer, file: string): Promise<{ readonly [name: string]: unknown }> {
    const { ssr } = server.environments;
    if (!isRunnableDevEnvironment(ssr)) throw new Error("not runnable");
    return ssr.runner.import(file) as Promise<{ [name: string]: unknown }>;
  }

  test("runs a tool as the plain function that it is", async () => {
    const { shout } = await load(await serve(), "/packages/tools/src/shout.ts");
    expect((shout as (request: object) => string)({ text: "hi" })).toBe("HI!");
  });

  test("an error has file, place and frame for the overlay, and goes away after the fix", async () => {
    project.edit("src/tools/slug.ts", broken.from, broken.to);
    const server = await serve();
    const error: unknown = await load(server, "/src/tools/slug.ts").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringContaining("src/tools/slug.ts:6:12  TN301  Field `heading`"),
      id: project.path("src/tools/slug.ts"),
      loc: { file: project.path("src/tools/slug.ts"), line: 6, column: 11 },
    });
    project.edit("src/tools/slug.ts", broken.to, broken.from);
    server.watcher.emit("change", project.path("src/tools/slug.ts"));
    expect(await load(server, "/src/tools/slug.ts")).toHaveProperty("slug");
  });
});

describe("vite's dev server on a port", () => {
  /** The lines that `vite` prints, each time that it prints its addresses. */
  async function printed(more: InlineConfig = {}): Promise<readonly string[]> {
    const lines: string[] = [];
    const logger = createLogger("silent");
    logger.info = logger.warn = (line) => void lines.push(stripVTControlCharacters(line));
    const server = await createServer(
      config({ customLogger: logger, server: { host: "127.0.0.1", port: 0 }, ...more }),
    );
    closing.push(() => server.close());
    await server.listen();
    server.printUrls();
    return lines.filter((line) => /➜|tenon/.test(line));
  }
  const line = expect.stringContaining("`npx tenon dev` serves the tools");

  test("says below its addresses which command serves the tools, also with web pages beside them", async () => {
    expect(await printed()).toEqual([expect.stringContaining("http://127.0.0.1:"), line]);
    project.write({ "web/index.html": "<p>page</p>" });
    expect(await printed({ root: project.path("web") })).toEqual([expect.stringContaining("http://127.0.0.1:"), line]);
  });

  test("takes the entry of the options, and says nothing in a project without a service", async () => {
    project.write({ "tenon.config.mjs": 'export default { entry: "src/main.ts" };\n', "src/main.ts": "export {};" });
    expect(await printed()).toEqual([expect.stringContaining("http://127.0.0.1:")]);
    project.write({ "src/main.ts": project.read("src/service.ts") });
    expect(await printed()).toHaveLength(2);
  });
});

describe("vitest", () => {
  beforeEach(() => {
    const plugin = pathToFileURL(resolve("plugin/bundlers/vite.ts")).href;
    const installed = project.path("node_modules/tenon/dist/plugin/bundlers/vite.js");
    for (const name of ["vitest", "vite"])
      symlinkSync(dirname(realpathSync(`node_modules/${name}/package.json`)), project.path("node_modules", name));
    project.write({
      "vitest.config.ts": `import tenon from ${JSON.stringify(project.plugins.fromSources ? plugin : installed)};
export default { plugins: [tenon()], resolve: { alias: { "@": ${JSON.stringify(project.path("src"))} } } };
`,
    });
  });

  /** Runs the tests of the project in a process of its own. */
  function runTests(): { readonly status: number | null; readonly stderr: string } {
    const { PATH = "", HOME = "" } = process.env;
    return spawnSync(
      process.execPath,
      [project.path("node_modules/vitest/vitest.mjs"), "run", "--reporter=json", "--outputFile=report.json"],
      { cwd: project.root, encoding: "utf8", env: { PATH, HOME, NO_COLOR: "1" } },
    );
  }

  test("imports tools, calls them and finds them registered", () => {
    project.write({
      "src/tools.test.ts": `import { ValueError } from "tenon";
import { expect, test } from "vitest";
import { isPrime } from "./tools/is-prime.js";
import { shout } from "@acme/tools";

test("a tool is a function", async () => {
  expect(await isPrime({ number: 7 })).toEqual({ number: 7, isPrime: true });
  expect(shout({ text: "a" })).toBe("A!");
});
test("its module registered it", () => {
  const { tools } = globalThis[Symbol.for("tenon.registry")];
  expect([...tools.keys()].sort()).toEqual(["isPrime", "shout"]);
  expect(tools.get("isPrime").functions.isRequest({ number: -1 })).toBe(false);
});
test("tenon itself is there", () => {
  expect(new ValueError("x")).toBeInstanceOf(Error);
});
`,
    });
    const { status, stderr } = runTests();
    // On a busy machine Rolldown says how long plugins took.
    const timings = /\[PLUGIN_TIMINGS\][^]*?for more details\.\s*/g;
    expect(stripVTControlCharacters(stderr).replace(timings, "")).toBe("");
    expect(JSON.parse(project.read("report.json"))).toMatchObject({ numPassedTests: 3, numFailedTests: 0 });
    expect(status).toBe(0);
  });

  test("a tool is checked by a type that has changed since the last run, in another file", () => {
    project.write({
      "src/small.ts": "/** A small number. @maximum 10 */\nexport type Small = number;\n",
      "src/half.ts": `import type { Small } from "./small.js";
/** @schema urn:example:schema.half.request.1 */
export interface HalfRequest {
  /** The number. */
  n: Small;
}
/**
 * Halves.
 * @tool
 */
export function half({ n }: HalfRequest): number {
  return n / 2;
}
`,
      "src/half.test.ts": `import { callTool } from "tenon/testing";
import { expect, test } from "vitest";
import { half } from "./half.js";

test("eleven is refused", async () => {
  await expect(callTool(half, { n: 11 })).rejects.toMatchObject({ kind: "validation" });
});
`,
    });
    const counts = (): unknown => (runTests(), JSON.parse(project.read("report.json")));
    expect(counts()).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
    project.edit("src/small.ts", "10", "20");
    expect(counts()).toMatchObject({ numPassedTests: 0, numFailedTests: 1 });
  });
});
