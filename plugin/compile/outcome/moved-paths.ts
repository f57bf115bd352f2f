import type { ServiceDefinition } from "../../../runtime/contract/service-definition.ts";
import { toolAlias } from "../../../runtime/contract/definition/tool-path.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { CompiledTool } from "../compiled-module.ts";

/**
 * Warns of tools that no longer answer on `/tool`, because the service now has more than one tool.
 *
 * @param committed Text of the previous build's definition
 */
export function movedPaths(
  committed: string,
  { tools }: ServiceDefinition,
  compiled: readonly CompiledTool[],
): readonly Diagnostic[] {
  const before = new Map(toolsOf(committed).map((tool) => [tool.name, tool.path]));
  const positions = new Map(compiled.map(({ model }) => [model.name, model.position]));
  return tools.flatMap(({ name, path }) => {
    const earlier = before.get(name);
    const position = positions.get(name);
    if (earlier === undefined || position === undefined || toolAlias(name, earlier) !== path) return [];
    const moved: Diagnostic = {
      code: "TN412",
      level: "warning",
      message:
        `Tool \`${name}\` was the only one and answered on \`${earlier}\`; one of several answers on \`${path}\` alone. ` +
        "The definition says what it takes and gives under `tools` only.",
      fix: `to keep the callers of \`${earlier}\`, write \`@path ${earlier}\`: it then answers on both paths`,
      ...position,
    };
    return [moved];
  });
}

/** Names and paths in a committed definition; empty when it cannot be read, since it is about to be replaced. */
function toolsOf(committed: string): readonly { readonly name?: unknown; readonly path: string }[] {
  try {
    const { tools } = JSON.parse(committed) as { readonly tools?: unknown };
    if (!Array.isArray(tools)) return [];
    return (tools as readonly unknown[]).flatMap((tool) =>
      typeof tool === "object" && tool !== null && "path" in tool && typeof tool.path === "string"
        ? [tool as { readonly path: string }]
        : [],
    );
  } catch {
    return [];
  }
}
