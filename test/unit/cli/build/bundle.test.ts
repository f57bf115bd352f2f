import { readFileSync } from "node:fs";
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
