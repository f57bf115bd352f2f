import { posix } from "node:path";
import {
  type Adopted,
  type AdoptedImport,
  type AdoptedModule,
  adoptedPrefix,
  type AdoptedTool,
  resultsModule,
} from "../../plugin/index.ts";
import { resultsText } from "./results-text.ts";

/** A file to be written. */
export interface WrittenFile {
  /** Relative to the folder of the output, forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Names of files that are written beside the modules. */
const [entryFile, resultsFile] = ["service.ts", "adopted-results.ts"];

/**
 * Makes the files of the new service: a module for each file of the original service, and the entry.
 *
 * @param folder Absolute folder of the output, forward slashes; imports of original files are relative to it
 * @param name Name of the service
 */
export function writeModules(adopted: Adopted, folder: string, name: string): readonly WrittenFile[] {
  const paths = outputPaths(adopted.modules);
  const files = adopted.modules.map((module) => ({
    path: paths.get(module.source) ?? module.source,
    text: moduleText(module, { adopted, folder, paths }),
  }));
  const usesResults = adopted.modules.some(({ imports }) => imports.some(({ from }) => from === resultsModule));
  const entries = adopted.modules.filter(({ tools }) => tools.length > 0);
  return [
    {
      path: entryFile,
      text: entryText(
        entries.map(({ source }) => paths.get(source) ?? source),
        name,
      ),
    },
    ...files,
    ...(usesResults ? [{ path: resultsFile, text: resultsText }] : []),
  ];
}

function outputPaths(modules: readonly AdoptedModule[]): ReadonlyMap<string, string> {
  const taken = new Set([entryFile, resultsFile]);
  return new Map(
    modules.map(({ source }) => {
      // Modules for files outside of the given folder are written inside of the output folder, too.
      const bare = source.replace(/^(?:\.\.\/)+|^src\//, "").replace(/\.[cm]?[jt]sx?$/, "");
      let path = `${bare}.ts`;
      for (let number = 2; taken.has(path); number += 1) path = `${bare}-${number}.ts`;
      taken.add(path);
      return [source, path];
    }),
  );
}

interface Placed {
  readonly adopted: Adopted;
  readonly folder: string;
  readonly paths: ReadonlyMap<string, string>;
}

function moduleText(module: AdoptedModule, placed: Placed): string {
  const own = placed.paths.get(module.source) ?? module.source;
  const byModule = new Map<string, AdoptedImport[]>();
  for (const one of module.imports) {
    const from = specifierOf(one, own, placed);
    byModule.set(from, [...(byModule.get(from) ?? []), one]);
  }
  const imports = [...byModule]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([from, list]) => importLines(from, list));
  return [
    ...(imports.length > 0 ? [imports.join("\n")] : []),
    ...module.statements.map((text) => text.trimEnd()),
    ...module.tools.map(toolText),
  ]
    .join("\n\n")
    .concat("\n");
}

function specifierOf({ from, written }: AdoptedImport, own: string, { adopted, folder, paths }: Placed): string {
  const here = posix.dirname(own);
  if (from === resultsModule) return relativePath(here, resultsFile.replace(/\.ts$/, ".js"));
  if (from.startsWith(adoptedPrefix)) {
    const source = posix.relative(adopted.root, from.slice(adoptedPrefix.length));
    return relativePath(here, (paths.get(source) ?? source).replace(/\.ts$/, ".js"));
  }
  return written.startsWith(".") ? relativePath(posix.join(folder, here), from) : written;
}

function relativePath(folder: string, file: string): string {
  const path = posix.relative(folder, file);
  return path.startsWith(".") ? path : `./${path}`;
}

function importLines(from: string, list: readonly AdoptedImport[]): readonly string[] {
  const text = JSON.stringify(from);
  const named = list.filter(({ name }) => name !== "default" && name !== "*");
  const areTypes = named.every(({ isType }) => isType);
  const parts = named.map(({ name, local, isType }) => {
    const renamed = name === local ? name : `${name} as ${local}`;
    return isType && !areTypes ? `type ${renamed}` : renamed;
  });
  return [
    ...list
      .filter(({ name }) => name === "default" || name === "*")
      .map(
        ({ name, local, isType }) =>
          `import ${isType ? "type " : ""}${name === "*" ? `* as ${local}` : local} from ${text};`,
      ),
    ...(parts.length === 0
      ? []
      : [`import ${areTypes ? "type " : ""}{ ${parts.toSorted().join(", ")} } from ${text};`]),
  ];
}

function toolText(tool: AdoptedTool): string {
  const { functionName, request, parameter, result, isAsync, body, comment } = tool;
  const given = tool.parameters ?? (request === undefined ? "" : `${parameter}: ${request}`);
  const type = result === undefined ? "" : `: ${isAsync ? `Promise<${result}>` : result}`;
  const filled = body.trim() === "" ? "" : `\n${body}\n`;
  return `${comment}export ${isAsync ? "async " : ""}function ${functionName}(${given})${type} {${filled}}`;
}

function entryText(modules: readonly string[], name: string): string {
  const imports = modules.map((path) => `import ${JSON.stringify(`./${path.replace(/\.ts$/, ".js")}`)};`);
  return `import { Service, loggingInit, startLambdaServer } from "tenon";
${imports.join("\n")}

loggingInit();
await startLambdaServer(new Service({ name: ${JSON.stringify(name)} }));
`;
}
