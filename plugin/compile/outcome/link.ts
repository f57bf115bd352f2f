import type { ToolDefinition } from "../../../runtime/contract/contract.ts";
import { toolPath } from "../../../runtime/contract/definition/tool-path.ts";
import type { CompiledModule, CompiledTool } from "../compiled-module.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ServiceModel, StartModel } from "../../model/service.ts";
import type { Position } from "../../model/type.ts";

/** The linked modules of one build. */
export interface LinkedModules {
  /** Definitions of tools, sorted by name; for a batch service, only of the tools that it runs. */
  readonly definitions: readonly ToolDefinition[];
  /** Prompts and resources, by name. */
  readonly offers: readonly ToolDefinition[];
  /** Arguments of `new Service({…})` in the entry, and the absolute path of its file. */
  readonly service?: LinkedService;
  /** Sorted by file and line, including problems between modules. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface LinkedService extends ServiceModel, Pick<StartModel, "flavour" | "port"> {
  readonly file: string;
}

/**
 * Links compiled modules and finds problems between them: a name or a path used twice, more than one service or entry,
 * a service without tools.
 *
 * @param entries Absolute paths of the build's entries
 */
export function linkModules(modules: readonly CompiledModule[], entries: readonly string[] = []): LinkedModules {
  const services = modules
    .flatMap(({ file, model }) => (model.service ? [{ ...model.service, file }] : []))
    .toSorted(byPosition);
  const [service, ...others] = services;
  const started = modules.filter(({ model }) => model.start !== undefined).toSorted(byStart);
  const start = startOf(started.flatMap(({ model }) => model.start ?? []));
  const [first, ...more] = started.filter(({ file }) => entries.includes(file));
  const worker = workerOf(modules, start);
  const diagnostics = [
    ...modules.flatMap((module) => module.diagnostics),
    ...repeatedNames(modules),
    ...repeatedPaths(modules),
    ...others.map((other) => secondService(other, service ?? other)),
    ...(others.length > 0 ? [] : more.flatMap((one) => secondEntry(one, first ?? one))),
    ...(worker === "unknown" ? unknownWorker(modules, start) : []),
  ];
  // A missing tool is not reported after an error, which may be the reason why it is missing.
  const failed = diagnostics.some(({ level }) => level === "error");
  if (service !== undefined && !failed && toolsOf(modules).length === 0) diagnostics.push(serviceWithoutTools(service));
  return {
    definitions: (typeof worker === "object" ? [worker] : toolsOf(modules))
      .map(({ definition }) => definition)
      .toSorted((a, b) => compare(a.name, b.name)),
    offers: modules
      .flatMap(({ tools }) => tools.map(({ definition }) => definition))
      .filter(({ kind }) => kind !== undefined)
      .toSorted((a, b) => compare(a.name, b.name)),
    ...(service && {
      service: {
        ...service,
        flavour: start?.flavour ?? "lambda",
        ...(start?.port !== undefined && { port: start.port }),
      },
    }),
    diagnostics: sortDiagnostics(diagnostics),
  };
}

/** By file and line. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(byPlace);
}

function repeatedNames(modules: readonly CompiledModule[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const first = new Map<string, Position>();
  const tools = modules.flatMap(({ model }) => model.tools);
  for (const { name, kind = "tool", position } of tools.toSorted(byPosition)) {
    const other = first.get(`${kind} ${name}`);
    first.set(`${kind} ${name}`, other ?? position);
    if (other === undefined) continue;
    found.push({
      code: "TN112",
      level: "error",
      message: `The service has two ${kind}s with the name \`${name}\`; the other one is at ${other.file}:${other.line}:${other.column}.`,
      fix: "rename one function, or give one of them another name with `@name`",
      related: [{ message: `the other ${kind}`, ...other }],
      ...position,
    });
  }
  return found;
}

function repeatedPaths(modules: readonly CompiledModule[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const first = new Map<string, CompiledTool>();
  const tools = toolsOf(modules).toSorted((a, b) => byPosition(a.model, b.model));
  const count = new Set(tools.map(({ model }) => model.name)).size;
  for (const tool of tools) {
    const path = toolPath(tool.definition, count);
    const other = first.get(path);
    if (other === undefined) first.set(path, tool);
    // Tools with the same name are reported already.
    if (other === undefined || other.model.name === tool.model.name) continue;
    const { file, line, column } = other.model.position;
    found.push({
      code: "TN409",
      level: "error",
      message: `Tool \`${tool.model.name}\` has the path \`${path}\`, which tool \`${other.model.name}\` has as well, at ${file}:${line}:${column}.`,
      fix: "give one of them another path with `@path`",
      related: [{ message: "the other tool", ...other.model.position }],
      ...tool.model.position,
    });
  }
  return found;
}

/** Combines the start calls of a build: the service serves if any of them does. */
function startOf(starts: readonly StartModel[]): StartModel | undefined {
  return starts.find(({ flavour }) => flavour === "lambda") ?? starts[0];
}

/**
 * The only tool that a batch service runs; undefined if all tools count, as for `startBatchService` without a worker.
 */
function workerOf(
  modules: readonly CompiledModule[],
  start: StartModel | undefined,
): CompiledTool | "unknown" | undefined {
  if (start?.flavour !== "batch" || start.worker === undefined || toolsOf(modules).length < 2) return undefined;
  const { declared } = start.worker;
  const home = modules.filter(({ model }) => model.file === declared?.file);
  return toolsOf(home).find(({ model }) => model.binding === declared?.binding) ?? "unknown";
}

function unknownWorker(modules: readonly CompiledModule[], start: StartModel | undefined): readonly Diagnostic[] {
  if (start?.worker === undefined) return [];
  const names = toolsOf(modules).map(({ model }) => `\`${model.name}\``);
  return [
    {
      code: "TN415",
      level: "warning",
      message: `The worker of this batch service is not known at build time, so that its definition has all tools: ${names.join(", ")}.`,
      fix: "give `startBatchService` the function of the tool by its name",
      ...start.worker.position,
    },
  ];
}

/** Prompts and resources are left out, since only MCP serves them. */
function toolsOf(modules: readonly CompiledModule[]): readonly CompiledTool[] {
  return modules.flatMap(({ tools }) => tools).filter(({ definition }) => definition.kind === undefined);
}

function serviceWithoutTools({ position }: ServiceModel): Diagnostic {
  return {
    code: "TN408",
    level: "error",
    message: `\`${position.file}\` makes a service without tools: it imports no module with a tool.`,
    fix: 'import the module of each tool there, as `import "./my-tool.js";`, and mark the exported function with `@tool`',
    ...position,
  };
}

function secondService(service: ServiceModel, first: ServiceModel): Diagnostic {
  const { file, line, column } = first.position;
  return {
    code: "TN406",
    level: "error",
    message: `The build holds a second \`Service\`; the first one is at ${file}:${line}:${column}.`,
    fix: "build each service on its own, with its own entry",
    related: [{ message: "the first service", ...first.position }],
    ...service.position,
  };
}

function secondEntry({ model: { start } }: CompiledModule, first: CompiledModule): readonly Diagnostic[] {
  return start === undefined
    ? []
    : [
        {
          code: "TN406",
          level: "error",
          message: `The build has a second entry that starts the service; the first one is \`${first.model.file}\`.`,
          fix: "build each entry on its own: each has a service definition",
          ...start.position,
        },
      ];
}

function byStart(a: CompiledModule, b: CompiledModule): number {
  return compare(a.file, b.file);
}

function byPosition(a: { readonly position: Position }, b: { readonly position: Position }): number {
  return byPlace(a.position, b.position);
}

function byPlace(a: Partial<Position>, b: Partial<Position>): number {
  return compare(a.file ?? "", b.file ?? "") || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
