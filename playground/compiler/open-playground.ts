import type { Diagnostic } from "../../plugin/diagnostics/diagnostic.ts";
import type { CompiledModule, CompiledTool } from "../../plugin/compile/compiled-module.ts";
import type { TenonOptions } from "../../plugin/compile/options.ts";
import { openSession } from "../../plugin/compile/session.ts";
import { mayConcern, startsService } from "../../plugin/packages/find-tool-files.ts";
import { describeTool, type McpToolDescriptor } from "../../runtime/contract/definition/mcp-descriptor.ts";
import { openApiDocument } from "../../runtime/contract/definition/openapi.ts";
import { toolPath } from "../../runtime/contract/definition/tool-path.ts";
import type { JsonObject, ToolDefinition } from "../../runtime/contract/contract.ts";
import type { OpenApiTool } from "../../runtime/contract/definition/openapi-operations.ts";
import type { ControllerSchema, ServiceDefinition } from "../../runtime/contract/service-definition.ts";
import type { ToolOptions } from "../../runtime/service/tools/tool-options.ts";
import { files } from "./node/files.ts";
import { packageFolder, projectFolder, serviceFile, toolFile } from "./places.ts";
import { moduleText } from "./module-text.ts";

/** Texts that the worker needs before it can compile, by path in the folder of the package. */
export type PackageTexts = Readonly<Record<string, string>>;

export interface PlaygroundOptions {
  readonly packageTexts: PackageTexts;
  /** Further files, or others than the usual ones, by path in the project. */
  readonly files?: Readonly<Record<string, string>>;
  readonly rules?: TenonOptions["rules"];
}

/** Everything that tenon makes of a source. Plain data. */
export interface Compiled {
  readonly diagnostics: readonly Diagnostic[];
  readonly tools: readonly CompiledPart[];
  /** The definition of the service; absent after an error. */
  readonly service?: ServiceDefinition;
  /** The OpenAPI document of the service; absent after an error, and for a batch service. */
  readonly openApi?: JsonObject;
  /** The module with what the build adds, in TypeScript. */
  readonly module: string;
  /** The same for the sandbox, as a CommonJS module; absent after an error. */
  readonly script?: string;
}

/** A tool, a prompt or a resource. */
export interface CompiledPart {
  readonly definition: ToolDefinition;
  /** Entry of `tools/list`; absent for prompts and resources. */
  readonly mcp?: McpToolDescriptor;
  /** The generated statement, on one line. */
  readonly code: string;
}

/** A project of one file, whose compiler stays open: the next source costs only what has changed. */
export interface Playground {
  compile(source: string): Promise<Compiled>;
  /** Compiles files of the project one by one, by their paths in it. */
  compileAlone(paths: readonly string[]): Promise<readonly CompiledModule[]>;
}

const ownFiles: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "playground", "version": "1.0.0", "type": "module" }',
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      target: "es2024",
      module: "nodenext",
      moduleResolution: "nodenext",
      strict: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    },
    include: ["src"],
  }),
};

/** The part of Node's types that requests and results may have; other imports from Node are of any type. */
const nodeTypes: Readonly<Record<string, string>> = {
  "node_modules/@types/node/package.json": '{ "name": "@types/node", "types": "index.d.ts" }',
  "node_modules/@types/node/index.d.ts": `interface Buffer extends Uint8Array {}
declare var process: { readonly env: { readonly [name: string]: string | undefined } };
declare module "node:*";
declare module "node:buffer" { export { Buffer } }
`,
};

/** The entry for a source that starts no service itself. */
const service = `import { Service, startLambdaServer } from "tenon";
import "./tool.js";

await startLambdaServer(new Service({ name: "Playground" }));
`;
const importing = 'import "./tool.js";\n';

const restSchema: ControllerSchema = "urn:platform:schema.service.rest.1";

/** Opens the playground: the same session of the plugin that commands and editors use, on files in memory. */
export function openPlayground({ packageTexts, files: given = {}, rules }: PlaygroundOptions): Playground {
  for (const [path, text] of Object.entries(packageTexts)) files.set(`${packageFolder}/${path}`, text);
  const all = { ...ownFiles, ...nodeTypes, [serviceFile]: service, [toolFile]: "", ...given };
  for (const [path, text] of Object.entries(all)) files.set(`${projectFolder}/${path}`, text);
  const session = openSession({
    entry: serviceFile,
    root: projectFolder,
    cache: false,
    derivesUrns: true,
    ...(rules !== undefined && { rules }),
  });
  const tool = `${projectFolder}/${toolFile}`;
  return {
    async compile(source) {
      session.edit(tool, source);
      // A service without tools would be a finding in a file that the visitor does not see.
      const isServed = mayConcern(toolFile, source) && !startsService(source);
      session.edit(`${projectFolder}/${serviceFile}`, isServed ? service : importing);
      const { tools, service: made, diagnostics } = await session.compile();
      const [module] = await session.compileAlone([tool]);
      const definition = made?.definition;
      const called = tools.filter(({ definition: { kind } }) => kind === undefined);
      const text = moduleText(source, module?.insertions ?? []);
      return {
        diagnostics,
        tools: tools.map(({ definition: one, code }) => ({
          definition: one,
          code,
          ...(one.kind === undefined && { mcp: describeTool(one, definition?.name) }),
        })),
        module: text.typescript,
        ...(definition !== undefined && {
          service: definition,
          ...(definition["controller-schema"] === restSchema && {
            openApi: openApiDocument({ service: definition, tools: called.map((tool) => openApiTool(tool, called)) }),
          }),
          script: text.script(),
        }),
      };
    },
    compileAlone: (paths) => session.compileAlone(paths.map((path) => `${projectFolder}/${path}`)),
  };
}

function openApiTool({ definition }: CompiledTool, all: readonly CompiledTool[]): OpenApiTool {
  const { tags } = (definition.options ?? {}) as ToolOptions;
  return { definition, path: toolPath(definition, all.length), ...(tags !== undefined && { tags }) };
}
