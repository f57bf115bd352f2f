import { afterAll, beforeAll, expect, test } from "vitest";
import { carriedLibs } from "../../plugin/read/base/lib-texts.ts";
import { type PackedProject, packedProject } from "../support/packed-project.ts";

let user: PackedProject;
beforeAll(() => {
  user = packedProject(files, { packages: ["esbuild"] });
});
afterAll(() => user.dispose());

const tool = (request: string): string => `import { Service, startLambdaServer } from "tenon";

/** The answer. @schema urn:example:schema.answer.1 */
interface Answer {
  /** Number. */
  count: number;
}

/** Counts. @tool */
export function count(request: Place): Answer {
  return { count: request.x };
}

/** A place. @schema urn:example:schema.place.1 */
interface Place ${request}

await startLambdaServer(new Service({ name: "Counts" }));
`;

const files = {
  "tsconfig.json": '{ "compilerOptions": { "lib": ["es2024", "dom"], "types": [], "strict": true } }',
  "plain/service.ts": tool("{ /** Across. */ x: number }"),
  "dom/service.ts": tool('extends Pick<Required<DOMPointInit>, "x"> {}'),
  "loaded.mjs": `import { createRequire } from "node:module";
process.on("exit", () => {
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => /ts-morph/.test(file));
  console.log("compiler: " + (loaded.length > 0));
});`,
  // Files that Node has loaded of ts-morph when the build is over.
  "build.mjs": `import { createRequire } from "node:module";
import { build } from "esbuild";
import tenon from "tenon/esbuild";
const [entry] = process.argv.slice(2);
const plugins = [tenon({ service: false, cache: false })];
await build({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", splitting: true, outdir: "out", plugins });
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => /ts-morph/.test(file));
console.log(loaded.map((file) => file.split(/[\\\\/]/).pop()).join());`,
};

const loadedBy = (entry: string): string => {
  const { status, stdout, stderr } = user.node(["build.mjs", entry]);
  expect(stderr).not.toMatch(/error/i);
  expect(status).toBe(0);
  return stdout.trim();
};

test("a build loads the compiler alone, and no more of ts-morph", () => {
  expect(loadedBy("plain/service.ts")).toBe("typescript.js");
});

test("a check without changes does not load the compiler", () => {
  const check = (): string => {
    const words = ["--import=./loaded.mjs", "node_modules/tenon/dist/cli/main.js", "check", "plain/service.ts"];
    const { stdout, stderr } = user.node(words);
    expect(stderr).toContain("service.json");
    return stdout.trim();
  };
  expect(check()).toBe("compiler: true");
  expect(check()).toBe("compiler: false");
});

test("a tool that reaches for the library of a platform is read with all that ts-morph carries", () => {
  expect(loadedBy("dom/service.ts")).toBe("typescript.js,ts-morph-common.js");
  expect(user.read("out/service.mjs")).toMatch(/x: \{[^}]*type: "number"/);
});

test("the library beside the plugin is the one that ts-morph carries", () => {
  const { note, ...near } = JSON.parse(user.read("node_modules/tenon/dist/plugin/libs.json")) as Record<string, string>;
  const all = carriedLibs();
  expect(note).toContain("Apache-2.0");
  expect(Object.keys(near)).toContain("lib.es5.d.ts");
  expect(near).toEqual(Object.fromEntries(Object.keys(near).map((name) => [name, all[name]])));
});
