import { registeredTools } from "../../service/tools/registry.ts";
import { resolveTool } from "../../service/tools/resolve-tools.ts";
import type { Tool } from "../../service/tools/tool.ts";
import type { ToolFunction } from "../../client/request-types.ts";

/** Finds the tool that the plugin made of a function. Throws a `TypeError` with the remedy if there is none. */
export function findTool(author: ToolFunction): Tool {
  if (typeof author !== "function") throw new TypeError("callTool takes the tool's function first.");
  const found = registeredTools().findLast(({ functions }) => functions.author === author);
  if (found !== undefined) return resolveTool(found, 1);
  const name = author.name === "" ? "The function" : author.name;
  throw new TypeError(
    `${name} has no definition, so it cannot be called as a tool. Tenon's plugin makes the definition when it reads the ` +
      'module: add it to vitest.config.ts (import tenon from "tenon/vite", then plugins: [tenon()]), and check that the ' +
      "function is exported and carries the tag @tool. A function that is not a tool takes recordedJob().job.",
  );
}
