import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, parse, relative, resolve } from "node:path";
import type { ToolDefinition } from "../../../runtime/contract/contract.ts";
import type { ServiceDefinition } from "../../../runtime/contract/service-definition.ts";
import { dockerfileEntrypoint } from "../../../runtime/contract/definition/dockerfile.ts";
import { parseResources, type Resources } from "../../../runtime/contract/definition/resources.ts";
import { describeService } from "../../../runtime/contract/definition/service-definition.ts";
import { stableJson } from "../../../runtime/contract/definition/stable-json.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { LinkedModules, LinkedService } from "./link.ts";
import type { ProjectOptions } from "../options.ts";
import { readBytes } from "../../read/base/read-text.ts";
import { readServicePlace, type ServicePlace } from "../../packages/service-place.ts";

/** The committed service definition. */
export interface ServiceFile {
  /** Absolute path of the file. */
  readonly file: string;
  readonly text: string;
  readonly definition: ServiceDefinition;
}

/** Cache of the texts of tools in definitions: most tools are unchanged in a rebuild. */
export type ToolTexts = WeakMap<ToolDefinition, { readonly path: string; readonly text: string }>;

/**
 * Makes the committed definition of a service. It depends on the code and on package.json, `resources.json` and
 * `Dockerfile` in the package's folder, and never on the environment.
 */
export function makeServiceFile(
  service: LinkedService,
  { definitions: tools, offers }: Pick<LinkedModules, "definitions" | "offers">,
  root: string,
  path: string,
  known: ToolTexts = new WeakMap(),
): ServiceFile | Diagnostic {
  const { version, ...place } = readServicePlace(root);
  const resources = readResources(place);
  if (resources !== undefined && "code" in resources) return resources;
  const command = dockerfileEntrypoint(place.dockerfile ?? "");
  const { file: _file, position: _position, flavour, port, ...texts } = service;
  const definition = describeService({
    service: { ...(typeof version === "string" && { version }), ...texts },
    tools,
    offers: flavour === "lambda" ? offers : [],
    flavour,
    deployment: {
      ...(command && { command }),
      ...(resources && { resources }),
      ...(port !== undefined && { port }),
    },
  });
  return { file: path, text: definitionText(definition, tools, known), definition };
}

/** Prints a definition with the same text as `stableJson`, but uses the cached texts of its tools. */
function definitionText(definition: ServiceDefinition, tools: LinkedModules["definitions"], texts: ToolTexts): string {
  if (tools.length === 0) return stableJson(definition);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const printed = definition.tools.map((described) => {
    const tool = byName.get(described.name);
    const before = tool && texts.get(tool);
    if (before?.path === described.path) return before.text;
    // Lines are joined by `split` and `join`: V8 stores the result of `replaceAll` as a tree of pieces, through which
    // every later use walks.
    const text = JSON.stringify(described, null, 2).split("\n").join("\n    ");
    if (tool) texts.set(tool, { path: described.path, text });
    return text;
  });
  // This text is unique: texts in JSON contain no line break, and only a key of the root has this indent.
  const [head = "", tail = ""] = stableJson({ ...definition, tools: [] }).split('\n  "tools": []');
  return `${head}\n  "tools": [\n    ${printed.join(",\n    ")}\n  ]${tail}`;
}

/** The build whose definition is written. */
export interface DefinedEntry {
  /** Absolute path of the entry; undefined if the bundler does not provide it. */
  readonly entry: string | undefined;
  /** Absolute paths of the modules that start a service or contain tools. */
  readonly modules: readonly string[];
}

/**
 * Returns the path of the service definition for an entry. The file of the project's own entry has the plain name;
 * other names contain the name of the entry.
 */
export function serviceFilePath(
  root: string,
  { service, main }: ProjectOptions,
  { entry, modules }: DefinedEntry,
): string {
  const file = resolve(root, service || "service.json");
  if (main === undefined || entry === undefined || entry === main || modules.includes(main)) return file;
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}.${entryName(root, main, entry)}${ext}`);
}

/**
 * Returns a name for an entry: `worker` for `src/worker.ts` beside `src/service.ts`, `jobs-worker` for
 * `src/jobs/worker/index.ts`.
 */
function entryName(root: string, main: string, entry: string): string {
  const beside = relative(dirname(main), entry);
  const path = beside.startsWith("..") ? relative(root, entry) : beside;
  const words = path.replace(/\.[cm]?[jt]sx?$/, "").split(/[\\/]/);
  return (words.length > 1 && words.at(-1) === "index" ? words.slice(0, -1) : words)
    .filter((word) => word !== "..")
    .join("-");
}

/** A definition whose text is made only if it differs from the file. */
export interface FileToWrite extends Pick<ServiceFile, "file" | "text"> {
  /** True when the content of a file is the definition's text. */
  readonly is: (content: Buffer) => boolean;
}

/** Writes the definition only if it differs from the file, so that watchers see no change if there is none. */
export function writeServiceFile(made: FileToWrite): void {
  const before = readBytes(made.file);
  if (before !== undefined && made.is(before)) return;
  mkdirSync(dirname(made.file), { recursive: true });
  writeFileSync(made.file, made.text);
}

function readResources({ resources: text }: Pick<ServicePlace, "resources">): Resources | Diagnostic | undefined {
  if (text === undefined) return undefined;
  const read = parseResources(text);
  if ("resources" in read) return read.resources;
  return { code: "TN407", level: "error", message: `The file cannot be used: ${read.error}.`, file: "resources.json" };
}
