import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { editable } from "./make-project.ts";

/** Something that reads or builds a project in a process of its own. */
export interface BuildContender {
  readonly name: string;
  /** The project that it builds; default: the one with tenon's tools. */
  readonly project?: "typia" | "tsoa" | "xmcp" | "generated";
  /** Words of the command, which runs in the project's folder. */
  readonly command: readonly string[];
  /** Runs before each measurement, not measured. */
  readonly before?: (folder: string) => void;
}

const here = import.meta.dirname;
const peers = join(here, "node_modules");
const node = (script: string, ...words: readonly string[]): readonly string[] => [process.execPath, script, ...words];
const once = (...words: readonly string[]): readonly string[] => node(join(here, "build-once.mjs"), ".", ...words);
const tsc = (folder: string): readonly string[] =>
  node(resolve(here, "..", folder, "node_modules/typescript/bin/tsc"), "--noEmit");

/** Deletes the project's cache. */
function forget(folder: string): void {
  rmSync(join(folder, "node_modules/.cache"), { recursive: true, force: true });
}

/** Changes a text of one tool. */
function edit(folder: string): void {
  const path = join(folder, editable.tool);
  const text = readFileSync(path, "utf8");
  const [from, to] = text.includes("Looks around") ? ["Looks around", "Looks for"] : ["Looks for", "Looks around"];
  writeFileSync(path, text.replace(from, to));
}

/** Builds the code that the plugin passes to esbuild, from files: a whole build without changes, minus the plugin. */
const generated = "esbuild alone, on the generated code";
const generatedVite = "Vite alone, on the generated code";

/** A build after one with the same files. */
export const unchanged = "tenon, nothing changed";

/** Contenders that need only this repository. */
export const ownContenders: readonly BuildContender[] = [
  { name: "esbuild alone", command: once("plain") },
  { name: generated, project: "generated", command: once("plain") },
  { name: "tsc 7 --noEmit", command: tsc("test/versions/typescript-7") },
  { name: "tsc 6 --noEmit", command: tsc(".") },
  { name: unchanged, command: once("tenon") },
  { name: "tenon, one tool changed", command: once("tenon"), before: edit },
  { name: "tenon, cold", command: once("tenon"), before: forget },
];

/** Builds that leave `tenon` out of the bundle, so that nearly all of it is the project's own code. */
export const externalContenders: readonly BuildContender[] = ownContenders
  .filter(({ name }) => ["esbuild alone", generated, unchanged].includes(name))
  .map((contender) => ({ ...contender, command: [...contender.command, "external"] }));

/** The same by Vite. */
export const viteContenders: readonly BuildContender[] = [
  { name: "Vite alone", command: node(join(here, "vite-once.mjs"), ".", "plain") },
  { name: generatedVite, project: "generated", command: node(join(here, "vite-once.mjs"), ".", "plain") },
  { name: unchanged, command: node(join(here, "vite-once.mjs"), ".", "tenon") },
];

/** Contenders of `bench/package.json` that take seconds. */
export const peerContenders: readonly BuildContender[] = [
  {
    name: "ts-json-schema-generator",
    // oxfmt-ignore
    command: node(
      join(peers, "ts-json-schema-generator/bin/ts-json-schema-generator.js"),
      "--path", "src/tools/*.ts", "--tsconfig", "tsconfig.json", "--no-type-check", "--out", "out/schemas.json",
    ),
  },
  {
    name: "tsoa spec-and-routes",
    project: "tsoa",
    command: node(join(peers, "@tsoa/cli/dist/cli.js"), "spec-and-routes"),
  },
  { name: "xmcp build", project: "xmcp", command: node(join(peers, "xmcp/dist/cli.js"), "build") },
];

/** The contender that takes minutes. */
export const unpluginTypia: BuildContender = {
  name: "unplugin-typia",
  project: "typia",
  command: node(join(here, "build-typia.mjs"), "."),
};
