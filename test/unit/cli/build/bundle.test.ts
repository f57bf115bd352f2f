import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../../../cli/build/bundle.ts";
import { findProject } from "../../../../cli/project/project.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const packageOf = (name: string): Readonly<Record<string, string>> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: "1.0.0", type: "module", main: "index.js" }),
  [`node_modules/${name}/index.js`]: `export const ${name} = "code of ${name}";\n`,
});

test("packages that the options or the command name are left out of every bundle", async () => {
  const root = temporaryFolder({
    "package.json": JSON.stringify({ name: "bundled", type: "module", tenon: { external: ["configured"] } }),
    "src/service.ts": `import { configured } from "configured";
import { named } from "named";
import { within } from "within";

console.log(configured, named, within);
`,
    ...packageOf("configured"),
    ...packageOf("named"),
    ...packageOf("within"),
  });
  const project = findProject(undefined, root);
  const outdir = join(root, "dist");
  const { files, outside } = await bundle(project, { outdir, definition: false, quiet: true, external: ["named"] });
  expect(outside.map(({ name, reason }) => [name, reason])).toEqual([
    ["configured", "asked"],
    ["named", "asked"],
  ]);
  const text = files.map(({ file }) => readFileSync(join(outdir, file), "utf8")).join("\n");
  expect(text.match(/code of \w+/g)).toEqual(["code of within"]);
  // A command that names none, such as `tenon check --examples`.
  expect((await bundle(project, { outdir, definition: false, quiet: true })).outside).toMatchObject([
    { name: "configured" },
  ]);
});

test("a native package behind an alias ends the build, with the reason", async () => {
  const root = temporaryFolder({
    "package.json": JSON.stringify({ name: "aliased", type: "module", imports: { "#addon": "native" } }),
    "src/service.ts": 'import addon from "#addon";\n\nconsole.log(addon);\n',
    "node_modules/native/package.json": JSON.stringify({ name: "native", version: "1.0.0", main: "index.js" }),
    "node_modules/native/index.js": 'module.exports = require("./addon.node");\n',
    "node_modules/native/addon.node": "",
  });
  await expect(
    bundle(findProject(undefined, root), { outdir: join(root, "dist"), definition: false, quiet: true }),
  ).rejects.toThrow(
    "node_modules/native/addon.node is native code, which cannot be bundled, and is reached by an alias",
  );
});

test("a package that is found to be native by several files stays outside", async () => {
  const root = temporaryFolder({
    "package.json": JSON.stringify({ name: "named", type: "module" }),
    "src/service.ts": 'import addon from "native";\n\nconsole.log(addon);\n',
    "node_modules/native/package.json": JSON.stringify({ name: "native", version: "1.0.0", main: "index.js" }),
    "node_modules/native/index.js": 'module.exports = [require("./deep/er/a.node"), require("./deep/er/b.node")];\n',
    "node_modules/native/deep/er/a.node": "",
    "node_modules/native/deep/er/b.node": "",
  });
  const options = { outdir: join(root, "dist"), definition: false, quiet: true };
  expect((await bundle(findProject(undefined, root), options)).outside).toMatchObject([{ name: "native" }]);
});

test("a build keeps the chunks that it replaces, removes those before, and touches no others", async () => {
  const root = temporaryFolder({
    "package.json": JSON.stringify({ name: "two", type: "module" }),
    "src/service.ts": 'console.log((await import("./later.ts")).later);\n',
    "src/later.ts": "export const later = 1;\n",
    "src/worker.ts": 'console.log((await import("./größe @ 2.ts")).size);\n',
    "src/größe @ 2.ts": "export const size = 1;\n",
    "dist/chunks/notes.mjs": "",
  });
  const outdir = join(root, "dist");
  const chunks = (): string[] => readdirSync(join(outdir, "chunks")).filter((name) => name.endsWith(".mjs"));
  const build = async (entry: string): Promise<unknown> =>
    bundle(findProject(join(root, entry), root), { outdir, definition: false, quiet: true });
  const change = (later: string): void => writeFileSync(join(root, "src/later.ts"), `export const later = ${later};\n`);
  await build("src/worker.ts");
  await build("src/service.ts");
  const first = chunks();
  expect(first.map((name) => name.replace(/-[\w-]{8}\./, "."))).toEqual(
    expect.arrayContaining(["größe @ 2.mjs", "later.mjs", "notes.mjs"]),
  );
  change("2");
  await build("src/service.ts");
  const second = chunks();
  expect(second).toEqual(expect.arrayContaining(first));
  expect(second.filter((name) => !first.includes(name))).toEqual([expect.stringMatching(/^later-/)]);
  // Neither the same build again, nor one of another entry, nor one that fails ends the life of the first chunks.
  await build("src/service.ts");
  writeFileSync(join(root, "src/größe @ 2.ts"), "export const size = 2;\n");
  await build("src/worker.ts");
  expect(chunks()).toEqual(expect.arrayContaining(second));
  change('import("missing")');
  await expect(build("src/service.ts")).rejects.toThrow("missing");
  expect(chunks()).toEqual(expect.arrayContaining(second.filter((name) => !first.includes(name))));
  change("3");
  await build("src/service.ts");
  const third = chunks();
  const gone = second.filter((name) => !third.includes(name));
  expect(gone).toEqual([first.find((name) => name.startsWith("later-"))]);
});

test("an author's module is not taken into the chunks of the runtime by its path", async () => {
  const root = temporaryFolder({
    "package.json": JSON.stringify({ name: "alike", type: "module" }),
    "src/service.ts": 'import { errors } from "./runtime/base/errors.ts";\n\nconsole.log(errors);\n',
    "src/runtime/base/errors.ts": 'export const errors = "of the author";\n',
  });
  const outdir = join(root, "dist");
  const { files } = await bundle(findProject(undefined, root), { outdir, definition: false, quiet: true });
  const holders = files.filter(({ file }) => readFileSync(join(outdir, file), "utf8").includes("of the author"));
  expect(holders.map(({ file }) => file)).toContain("service.mjs");
  expect(holders.some(({ file }) => file.startsWith("chunks/runtime-"))).toBe(false);
});
