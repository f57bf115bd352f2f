import { spawn } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Definition } from "../../runtime/client/tool-facts.ts";
import { bareEnv } from "../support/bare-env.ts";
import { packedProject } from "../support/packed-project.ts";
import { builds, type Build, type BuildName } from "./builds.ts";
import { snippet } from "./snippets.ts";

const here = import.meta.dirname;

/** A service with the tools of all promises, as one build has made it. */
export interface Built {
  /** The file to start. */
  readonly file: string;
  /** Folder that it is started in: empty but for the output, unless that needs packages. */
  readonly folder: string;
  readonly definition: Definition;
  /** Milliseconds. */
  readonly duration: number;
  remove(): void;
}

/** Folders of services with their promises, by name. */
export const serviceFolders: ReadonlyMap<string, string> = new Map(
  globSync(join(here, "cases/*/promises.ts"))
    .toSorted()
    .map((file) => [basename(join(file, "..")), join(file, "..")]),
);

/**
 * Writes the project into an empty folder with the packed package, and builds it.
 *
 * @param services Folders whose promises are for the build
 */
export async function build(buildName: BuildName, services: readonly string[]): Promise<Built> {
  const { packages, files, commands, entry, needsPackages }: Build = builds[buildName];
  const { root, write, dispose } = packedProject(
    {
      "package.json": JSON.stringify({
        name: "promises",
        version: "1.2.3",
        private: true,
        type: "module",
        dependencies: { pg: "*", hono: "*", "@hono/node-server": "*" },
        tenon: {
          rules: { "missing-schema": "off", "missing-text": "off", "missing-field-text": "off", "module-state": "off" },
        },
      }),
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          target: "es2024",
          module: "esnext",
          moduleResolution: "bundler",
          strict: true,
          noEmit: true,
        },
        include: ["src"],
      }),
      ...files,
      "src/is-prime.ts": snippet("README.md", "src/is-prime.ts"),
    },
    { packages: ["pg", ...packages] },
  );
  cpSync(join(here, "project"), root, { recursive: true });
  const imports: string[] = [];
  for (const name of services) {
    const folder = join(here, "cases", name);
    const text = readFileSync(join(folder, "src/tool.ts"), "utf8");
    for (const [kind, changed] of Object.entries({ plain: text, threads: inThread(text) })) {
      // Prompts and resources run in no threads.
      if (kind === "threads" && changed === text) continue;
      const to = join(root, "src", kind, name);
      cpSync(join(folder, "src"), to, { recursive: true });
      writeFileSync(join(to, "tool.ts"), changed);
      imports.push(`import "./${kind}/${name}/tool.js";\n`);
    }
  }
  write({ "src/tools.ts": imports.join("") });
  const started = performance.now();
  for (const command of commands) await run(command, root);
  const duration = performance.now() - started;
  const [output, ...others] = globSync("dist/**", { cwd: root }).filter((file) => entry.test(file));
  if (output === undefined || others.length > 0)
    throw new Error(`dist has no file ${entry}: ${globSync("dist/*", { cwd: root }).toSorted().join(" ")}`);
  const definition = JSON.parse(readFileSync(join(root, "service.json"), "utf8")) as Definition;
  if (needsPackages) return { file: join(root, output), folder: root, definition, duration, remove: dispose };
  const folder = mkdtempSync(join(tmpdir(), "tenon-promises-"));
  mkdirSync(join(folder, "dist"));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  dispose();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { file: join(folder, output), folder, definition, duration, remove };
}

/** The same tool in a worker thread, under another name. */
function inThread(text: string): string {
  return text
    .replaceAll("urn:promise:", "urn:promise:thread.")
    .replaceAll(/(export const \w+)(?= = platformLambda)/g, "$1InThread")
    .replaceAll(/@tool\b([^]*?export (?:async )?function (\w+))/g, "@tool\n * @thread\n * @name $2InThread$1");
}

async function run(words: readonly string[], cwd: string): Promise<void> {
  const { HOME = "" } = process.env;
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...bareEnv(), HOME, NO_COLOR: "1", WAYS: process.env["WAYS"] ?? "" },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}:\n${said.slice(-4000)}`);
}
