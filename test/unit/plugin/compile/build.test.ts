import { symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { createBuild } from "../../../../plugin/compile/build.ts";
import type { TenonOptions } from "../../../../plugin/compile/options.ts";
import type { Outcome } from "../../../../plugin/compile/outcome/outcome.ts";
import { readText } from "../../../../plugin/read/base/read-text.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const tsconfig = '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true } }';

function service(name: string): string {
  return `import { Service, startLambdaServer } from "tenon";
/** Says a word. @tool @readonly */
export function ${name}(): string {
  return "${name}";
}
await startLambdaServer(new Service({ name: "${name}" }));
`;
}

function projectOf(files: Readonly<Record<string, string>>): string {
  return temporaryFolder({ "package.json": '{ "type": "module" }', "tsconfig.json": tsconfig, ...files });
}

/** Builds as a bundler does that was given the entries, and loads the files. */
async function buildOf(
  root: string,
  {
    entries,
    loads,
    ...options
  }: TenonOptions & { readonly entries: readonly string[]; readonly loads: readonly string[] },
): Promise<Outcome & { readonly code: string }> {
  const build = createBuild({ cache: false, ...options });
  for (const entry of entries) build.enter(join(root, entry));
  build.start();
  const files = loads.map((file) => join(root, file));
  const modules = await Promise.all(files.map((file) => build.compile(file, readText(file) ?? "")));
  const code = modules.flatMap(({ insertions }) => insertions.map(({ text }) => text)).join("\n");
  return { ...build.finish(files), code };
}

const skill = "---\nname: counting\ndescription: Tells how to count.\n---\n\nCount.\n";

test.each([
  ["src/worker.ts", "service.worker.json"],
  ["src/worker", "service.worker.json"],
  ["src/worker.js", "service.worker.json"],
  ["src/jobs", "service.jobs.json"],
  ["src/service", "service.json"],
])("the entry %s has the definition %s", async (entry, expected) => {
  const root = projectOf({
    "src/service.ts": service("main"),
    "src/worker.ts": service("worker"),
    "src/jobs/index.ts": service("jobs"),
  });
  const loads = [entry === "src/jobs" ? "src/jobs/index.ts" : entry.replace(/(?:\.[jt]s)?$/, ".ts")];
  const { serviceFile } = await buildOf(root, { entries: [entry], loads });
  expect(serviceFile && relative(root, serviceFile.file)).toBe(expected);
});

test("an entry that no bundler tells does not replace the definition of the project's entry", async () => {
  const root = projectOf({ "src/service.ts": service("main"), "src/worker.ts": service("worker") });
  writeFiles(root, {
    "service.json":
      (await buildOf(root, { entries: ["src/service.ts"], loads: ["src/service.ts"] })).serviceFile?.text ?? "",
  });
  expect(await buildOf(root, { entries: [], loads: ["src/worker.ts"] })).toMatchObject({
    failed: true,
    diagnostics: [{ code: "TN406", fix: expect.stringContaining("option `service`") as string }],
  });
  writeFiles(root, { "src/service.ts": service("renamed") });
  expect(await buildOf(root, { entries: [], loads: ["src/service.ts"] })).toMatchObject({ failed: false });
});

test.each([[["src/migrate/index.ts", "src/admin/index.ts"]], [["src/admin/index.ts", "src/migrate/index.ts"]]])(
  "of the entries %j, the one that starts the service has the name, the skills and the tsconfig",
  async (entries) => {
    const root = projectOf({
      "src/service.ts": service("main"),
      "src/migrate/index.ts": "console.log('migrated');",
      "src/migrate/tsconfig.json": '{ "extends": "./nothing.json" }',
      "src/admin/index.ts": service("admin"),
      "src/admin/skills/counting/SKILL.md": skill,
    });
    const { serviceFile, code } = await buildOf(root, { entries, loads: ["src/admin/index.ts"] });
    expect(serviceFile && relative(root, serviceFile.file)).toBe("service.admin.json");
    expect(code).toContain("Tells how to count.");
  },
);

test("a service whose only skill is a link does not build", async () => {
  const root = projectOf({
    "src/service.ts": service("main"),
    "shared/counting/SKILL.md": skill,
    "src/skills/.keep": "",
  });
  symlinkSync(join(root, "shared/counting"), join(root, "src/skills/counting"));
  expect(await buildOf(root, { entries: ["src/service.ts"], loads: ["src/service.ts"] })).toMatchObject({
    failed: true,
    diagnostics: [{ code: "TN414", file: "src/skills/counting" }],
  });
});

test("what a bundler took from its cache may be no file", async () => {
  const root = projectOf({ "src/service.ts": service("main"), "src/picture.png": "@tool" });
  const build = createBuild({ cache: false });
  const files = ["src/service.ts", "src/picture.png", "src/gone.ts", "src/a\0.ts"].map((file) => join(root, file));
  await build.recover(["data:text/javascript,export default 42", "virtual:a.ts", ...files]);
  expect(files.filter((file) => build.compiled(file) !== undefined)).toEqual([join(root, "src/service.ts")]);
});
