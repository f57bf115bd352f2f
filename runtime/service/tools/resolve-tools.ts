import { toolAlias, toolPath } from "../../contract/definition/tool-path.ts";
import { lambdas, type LambdaOptions } from "./platform-lambda.ts";
import { registeredTools, toolConflicts, type RegisteredTool } from "./registry.ts";
import { StartError } from "../../base/start-error.ts";
import type { Tool } from "./tool.ts";
import { longestWait } from "./tool-options.ts";

/** Paths are compared byte by byte: written as they are sent, without pattern characters. */
const plainPath = /^\/(?:[\w.~-]|%[0-9A-F]{2}|\/(?!\/|$))*$/;
const ownPaths = /^\/(?:jobs(?:\/.*)?|queue|metrics|healthz|readyz|_healtz|openapi\.json|docs|mcp)$/;

const pluginHint = "Check that the build uses tenon's plugin";

/** Lists all registered tools with options and paths. Throws `StartError`. */
export function resolveTools(): readonly Tool[] {
  const registered = registeredTools().filter(({ definition }) => definition.kind === undefined);
  const given = lambdas();
  for (const { name, sources } of toolConflicts()) {
    throw new StartError(
      `Two tools are called ${JSON.stringify(name)}: ${sources[0]} and ${sources[1]}. Rename one (@name).`,
    );
  }
  const stray = given.find((lambda) => !registered.some((tool) => belongsTo(lambda, tool)));
  if (stray !== undefined) {
    throw new StartError(
      `platformLambda was given ${nameOf(stray.author)}, which has no generated definition. ${pluginHint}, ` +
        `and that the function is exported: export const f = platformLambda(\u2026).`,
    );
  }
  if (registered.length === 0) {
    throw new StartError(
      `The service has no tools. ${pluginHint}, that a function carries the tag @tool, and that the entry imports its module.`,
    );
  }
  const tools = registered.map((tool) => resolveTool(tool, registered.length));
  const paths = new Map<string, string>();
  for (const { name, path } of tools) {
    const isOwn = ownPaths.test(path);
    if (isOwn || !plainPath.test(path)) {
      const reason = isOwn ? "one of the service's own" : "not a plain path";
      throw new StartError(
        `The tool ${name} has the path ${path}, which is ${reason}. Choose another (@path), for example /${name}.`,
      );
    }
    const other = paths.get(path);
    if (other !== undefined)
      throw new StartError(`The tools ${other} and ${name} have the same path ${path}. Change one (@path).`);
    paths.set(path, name);
  }
  return tools.map((tool) => withAlias(tool, paths));
}

/** Explicit paths that an author chose take precedence over an alias. */
function withAlias(tool: Tool, taken: ReadonlyMap<string, string>): Tool {
  const alias = toolAlias(tool.name, tool.path);
  return alias === undefined || taken.has(alias) ? tool : { ...tool, alias };
}

/** A registered tool with its options and its path. `count`: number of tools of the service. */
export function resolveTool(tool: RegisteredTool, count: number): Tool {
  const { definition, functions } = tool;
  const literal = definition.options as Tool["options"] | undefined;
  const options: { -readonly [Option in keyof Tool["options"]]: Tool["options"][Option] } = {
    ...literal,
    ...lambdas().find((lambda) => belongsTo(lambda, tool))?.options,
  };
  const { maxWaitTime, refreshInterval, executorOpts } = options;
  for (const [option, value] of Object.entries({ maxWaitTime, refreshInterval, ...executorOpts }))
    if (!((value ?? 0) >= 0))
      throw new StartError(`The tool ${definition.name}: ${option} is ${value}; give a number from 0.`);
  if ((maxWaitTime ?? 0) > longestWait) options.maxWaitTime = longestWait;
  return { name: definition.name, definition, functions, options, path: toolPath(definition, count) };
}

/** Removes the options of functions that are not, or no longer, tools. */
export function forgetLambdas(): void {
  const known = registeredTools();
  const given = lambdas();
  given.splice(0, given.length, ...given.filter((lambda) => known.some((tool) => belongsTo(lambda, tool))));
}

function belongsTo({ author }: LambdaOptions, { definition, functions }: RegisteredTool): boolean {
  if (functions.author !== undefined) return functions.author === author;
  return typeof author === "function" && author.name === definition.name;
}

function nameOf(author: unknown): string {
  return typeof author === "function" && author.name !== ""
    ? `the function ${author.name}`
    : "a function without a name";
}

/**
 * The prompts and resources that the modules of the service have registered. MCP serves them; they have no REST path.
 */
export function resolveOffers(): readonly Tool[] {
  return registeredTools().flatMap(({ definition, functions }) =>
    definition.kind === undefined
      ? []
      : // Arguments of prompts and parts of addresses are always text, so coercion is on.
        [{ name: definition.name, definition, functions, options: { ...definition.options, coerce: true }, path: "" }],
  );
}
