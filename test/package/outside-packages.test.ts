import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type PackedProject, packedProject, serve } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.toReversed()) close();
  open = [];
});

/** A tool that uses two packages with native code, one of which only its bundle shows to be native. */
const nativeFiles = {
  ...primeFiles,
  "src/service.ts": `import "./native.js";\n${primeFiles["src/service.ts"]}`,
  "src/native.ts": `import { add } from "adder";
import { half } from "halver";
/** Adds and halves. @tool */
export function mean(one: number, other: number): number {
  return half(add(one, other));
}
`,
  "node_modules/adder/package.json":
    '{ "name": "adder", "main": "index.js", "dependencies": { "needed": "1" }, "gypfile": true }',
  "node_modules/adder/index.js": 'const { plus } = require("needed"); exports.add = (a, b) => plus(a, b);',
  "node_modules/needed/package.json": '{ "name": "needed", "main": "index.js" }',
  "node_modules/needed/index.js": "exports.plus = (a, b) => a + b;",
  "node_modules/halver/package.json":
    '{ "name": "halver", "main": "index.js", "peerDependencies": { "faster": "1" }, "peerDependenciesMeta": { "faster": { "optional": true } } }',
  "node_modules/halver/index.js":
    'let addon; exports.load = () => (addon ??= require("./deep/in/here/addon.node")); exports.faster = () => require("faster"); exports.half = (a) => a / 2;',
  "node_modules/halver/deep/in/here/addon.node": "\u007fELF",
};

function project(files: Readonly<Record<string, string>>): PackedProject {
  const made = packedProject(files);
  open.push(made.dispose);
  return made;
}

test("packages with native code stay outside, are told with what to copy, and are copied where the author asks for it", async () => {
  const user = project(nativeFiles);
  const built = user.tenon("build");
  expect(built).toMatchObject({ status: 0 });
  expect(built.stderr).toContain("adder stays outside: it loads native code");
  expect(built.stderr).toContain("halver stays outside: it loads native code");
  expect(built.stderr).toContain("node_modules/adder, node_modules/halver, node_modules/needed");
  const copied = user.tenon("build", "--copy-external", "--json");
  expect(JSON.parse(copied.stdout)).toMatchObject({
    external: {
      packages: ["adder", "halver"],
      folders: ["node_modules/adder", "node_modules/halver", "node_modules/needed"],
      missing: [],
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "tenon-moved-"));
  open.push(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(user.root, "dist"), folder, { recursive: true });
  const served = await serve(join(folder, "service.mjs"));
  try {
    const request = { method: "POST", headers: { "content-type": "application/json" }, body: '{"one":1,"other":3}' };
    const answer = await fetch(`${served.url}/tool/mean`, request);
    expect(await answer.json()).toBe(2);
  } finally {
    await served.stop();
  }
});

test("a file of the project that is missing is the only error: a build that stopped early knows of no absences", () => {
  const { "src/service.ts": service = "" } = nativeFiles as Readonly<Record<string, string>>;
  const user = project({ ...nativeFiles, "src/service.ts": `import "./missing.js";\n${service}` });
  const built = user.tenon("build");
  expect(built).toMatchObject({ status: 1, stdout: "" });
  expect(built.stderr).toContain("Could not resolve './missing.js' in src/service.ts");
  expect(built.stderr).not.toContain("TN");
});

test("an import that leads nowhere ends the build, and `external` is the way to mean it", () => {
  const user = project({
    ...nativeFiles,
    "src/native.ts": 'import "not-installed";\n/** Says 1. @tool */\nexport function one(): number { return 1; }\n',
  });
  const built = user.tenon("build");
  expect(built).toMatchObject({ status: 1, stdout: "" });
  expect(built.stderr).toContain("src/native.ts:1:8  The import of `not-installed` leads nowhere.");
  expect(built.stderr).toContain("npm install not-installed");
  expect(existsSync(join(user.root, "dist/service.mjs"))).toBe(false);
  expect(user.tenon("build", "--external", "not-installed")).toMatchObject({
    status: 0,
    stderr: expect.stringContaining("not-installed stays outside: as asked; it is not installed"),
  });
  user.write({ "tenon.config.ts": 'export default { external: ["not-installed"] as string[] };\n' });
  expect(user.tenon("build")).toMatchObject({ status: 0 });
});
