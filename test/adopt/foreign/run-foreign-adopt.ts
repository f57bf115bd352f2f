/**
 * `npm run foreign-adopt -- FOLDER [NAME…]`: adopts public projects, and compares the JSON Schema of each tool by
 * meaning with that of the original, as `tenon check --against` does. FOLDER has a copy of each project in
 * `foreignProjects`, named `owner+name`. Exits with 1 if fewer than 80 % of the tools of a library are the same.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import type { ContractTool } from "../../../cli/contracts/contract.ts";
import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import { writeModules } from "../../../cli/adopt/write-modules.ts";
import { readForeign } from "../../../plugin/adopt/read-foreign.ts";
import { differences, toolOf } from "./differences.ts";
import { foreignProjects, type ForeignProject } from "./foreign-projects.ts";
import { type OpenApi, openApiTools } from "./openapi-tools.ts";
import { stubPackages } from "./stub-packages.ts";

const [projects = ".", ...names] = process.argv.slice(2);
const root = resolve(import.meta.dirname, "../../..");
const work = mkdtempSync(join(tmpdir(), "tenon-foreign-adopt-"));
process.once("exit", () => process.env["KEEP"] === undefined && rmSync(work, { recursive: true, force: true }));
const shares = new Map<string, { same: number; all: number }>();

for (const project of foreignProjects) {
  if (names.length > 0 && !names.includes(project.name)) continue;
  const folder = join(projects, project.name.replace("/", "+"), project.folder);
  if (!existsSync(folder)) console.log(`${project.name}: not there`);
  else await judge(project, resolve(folder));
}
for (const [library, { same, all }] of shares) {
  console.log(`${library}: ${same} of ${all} tools are the same (${Math.round((100 * same) / all)} %)`);
  if (same < 0.8 * all) process.exitCode = 1;
}

async function judge(project: ForeignProject, folder: string): Promise<void> {
  const adopted = readForeign(folder, "foreign");
  const files = adopted.modules.filter(({ tools }) => tools.length > 0).map(({ source }) => join(folder, source));
  const after = adoptedTools(project, folder);
  const named = new Map<string, string>(
    adopted.modules.flatMap(({ tools }) =>
      tools.flatMap(({ name, source, route, file }) =>
        // A contract and its handlers stand in different files, and a document names no files.
        route === undefined
          ? []
          : [[source === "ts-rest" || source === "tsoa" ? route : `${join(folder, file)} ${route}`, name] as const],
      ),
    ),
  );
  const fields = new Map(
    [...named].map(([route, name]) => {
      const schema = after.find((tool) => tool.name === name)?.["request-schema"];
      return [route, Object.keys((schema as { readonly properties?: object } | undefined)?.properties ?? {})] as const;
    }),
  );
  const before =
    project.openApi === undefined
      ? await originalTools(project, files)
      : openApiTools(JSON.parse(readFileSync(join(folder, project.openApi), "utf8")) as OpenApi, fields);
  const share = shares.get(project.library) ?? { same: 0, all: 0 };
  let same = 0;
  for (const tool of before) {
    const now = after.find(({ name }) => name === (named.get(tool.name) ?? tool.name));
    const found = now === undefined ? ["is missing"] : differences({ ...tool, name: now.name }, now);
    if (found.length === 0) same += 1;
    else for (const one of found.slice(0, 3)) console.log(`  ${project.name} ${tool.name}: ${one}`);
  }
  console.log(
    `${project.name}: ${same} of ${before.length} tools are the same; ${after.length} adopted, ${adopted.open.length} lines open`,
  );
  shares.set(project.library, { same: share.same + same, all: share.all + before.length });
}

/** The tools as the original registers them. */
async function originalTools(project: ForeignProject, files: readonly string[]): Promise<readonly ContractTool[]> {
  const outdir = join(mkdtempSync(join(work, "original-")), "dist");
  mkdirSync(outdir);
  writeFileSync(join(outdir, "../package.json"), JSON.stringify({ version: "0.0.0" }));
  await build({
    entryPoints: Object.fromEntries(files.map((file, index) => [`m${index}`, file])),
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
    ...(project.condition !== undefined && { conditions: [project.condition] }),
    plugins: [stubPackages(project.zod ?? 4)],
    banner: {
      js: 'import { createRequire as tenonRequire } from "node:module"; const require = tenonRequire(import.meta.url);',
    },
  });
  const bundles = files.map((_, index) => join(outdir, `m${index}.mjs`));
  const script = join(import.meta.dirname, project.recorder ?? "record-tools.ts");
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...bundles], {
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 1e9,
    cwd: root,
  });
  if (process.env["VERBOSE"] !== undefined) console.error(stderr);
  const tools = JSON.parse(stdout || "[]") as readonly { readonly name: string; readonly request: JsonSchema }[];
  return tools.map(({ name, request }) => toolOf(name, request));
}

/** The tools of the adopted service, built by tenon. */
function adoptedTools(project: ForeignProject, folder: string): readonly ContractTool[] {
  // Models of controllers may have types of packages, which are found beside the project.
  const out = mkdtempSync(project.openApi === undefined ? join(work, "adopted-") : join(dirname(folder), ".adopted-"));
  process.once("exit", () => process.env["KEEP"] === undefined && rmSync(out, { recursive: true, force: true }));
  const files = writeModules(readForeign(folder, "foreign"), out, "foreign");
  for (const { path, text } of files) {
    mkdirSync(join(out, path, ".."), { recursive: true });
    writeFileSync(join(out, path), text);
  }
  mkdirSync(join(out, "node_modules"));
  symlinkSync(root, join(out, "node_modules/tenon"));
  writeFileSync(join(out, "package.json"), JSON.stringify({ name: "foreign", type: "module" }));
  // Slow patterns of the original end a build; here they are compared.
  writeFileSync(join(out, "tenon.config.json"), JSON.stringify({ rules: { "unsafe-pattern": "off" } }));
  const words = [join(root, "cli/main.ts"), "generate", "service.ts"];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: out, encoding: "utf8" });
  if (status !== 0)
    console.log(
      stderr
        .split("\n\n")
        .filter((text) => /TN\d+ {2}(?!warning)/.test(text))
        .slice(0, 8)
        .join("\n\n"),
    );
  if (!existsSync(join(out, "service.json"))) return [];
  const { tools } = JSON.parse(readFileSync(join(out, "service.json"), "utf8")) as {
    readonly tools: readonly ContractTool[];
  };
  return tools.map((tool) => toolOf(tool.name, tool["request-schema"]));
}
